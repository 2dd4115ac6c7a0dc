"""Texts that the scripts of the judging pages show, in the language of the page.

Scripts have no plural forms, so a text with a number must suit any number.
"""

from django.utils.translation import gettext, pgettext


def texts() -> dict[str, str]:
    """Return each text by its name in the scripts; names in braces are filled in there."""
    return {**_screen(), **_items(), **_wall(), **_saving(), **_keys(), **_picture()}


def _screen() -> dict[str, str]:
    return {
        "undo": gettext("Undo"),
        "undo_last": gettext("Undo: {mark}"),
        "no_grade": pgettext("grade", "none"),
        "place": gettext("{place} of {total}"),
        "title": gettext("Item {place} of {total}"),
        "count_found": gettext("Found {count} times in this item."),
        "graded_already": gettext("Graded already: the first grade counts"),
        "reply_first": gettext("Reply to the question first"),
        "given": gettext("You gave {mark}."),
        "expected_later": gettext("The expected grade is shown once you are online."),
        "yours": gettext("yours"),
        "expected": gettext("expected"),
        "record_shown": gettext("The grades on record are shown."),
    }


def _items() -> dict[str, str]:
    return {
        "announce_grade": gettext("Item {place} graded {grade}, {name}."),
        "announce_reason": gettext("Item {place} cannot be judged."),
        "announce_undo": gettext("Undone: item {place} needs a judgment again."),
        "announce_flag": gettext("Flagged."),
        "announce_no_flag": gettext("Flag removed."),
        "announce_item": gettext("Item {place} of {total}."),
        "announce_broken": gettext("The picture cannot be shown."),
        "announce_offline": gettext("No connection: judgments are stored in this browser."),
        "announce_blocked": gettext("Not saved: see the line at the top."),
        "announce_end": gettext("All items are judged."),
        "ready_next": gettext("Next {count} ready"),
        "last_item": gettext("Last item"),
        "loading": gettext("Loading item {place}"),
        "not_loaded": gettext("Item {place} cannot be loaded now; trying again"),
        "paused": gettext("The organizers have paused this topic; trying again"),
        "item": gettext("item {place}"),
        "item_of": gettext("item {place} of {topic}"),
        "other_topic": gettext("another topic"),
        "judgments_of": gettext("{count} judgments of {topic}"),
    }


def _wall() -> dict[str, str]:
    return {
        "wall_title": gettext("Wall {wall} of {walls}"),
        "wall_number": gettext("wall {wall} of {walls}"),
        "wall_not_loaded": gettext("Wall {wall} cannot be loaded now; trying again"),
        "wall_done": gettext("All items of this wall are judged."),
        "announce_wall": gettext("Wall {wall} of {walls}, items: {count}."),
        "announce_many": gettext("Items graded {grade}, {name}: {count}."),
        "announce_undone": gettext("Undone, items: {count}."),
        "undo_many": gettext("Undo, items: {count}"),
        "rest": gettext("Rest as {grade}, items: {count}"),
        "cell_open": gettext("not graded"),
        "cell_grade": gettext("grade"),
        "cell_reason": gettext("cannot judge"),
        "cell_marked": gettext("marked"),
        "cell_opened": gettext("opened"),
        "cell_rest": pgettext("the rest of a wall", "rest"),
        "open_offline": gettext("Item {place} opens once you are online. Grade it here."),
        "to_wall": gettext("Back to the wall"),
    }


def _saving() -> dict[str, str]:
    return {
        "saving": gettext("Saving"),
        "saved": gettext("Saved"),
        "kept": gettext("{count} stored here, sent with the wall"),
        "draft": gettext("Comment not saved yet"),
        "stored_offline": gettext("{count} stored here, no connection"),
        "stored_blocked": gettext("Not saved: {count} stored here"),
        "stored_waiting": gettext("Not saved yet: {count} stored in this browser."),
        "first_blocked": gettext("First {item}: {error}"),
        "refused_item": gettext("Not saved: {item}"),
        "refused": gettext("Not saved: {item}. {error}"),
        "not_counted": gettext("Not counted: {item}. {error}"),
        "unkept": gettext("This browser cannot store it: do not close or leave this page."),
        "offline": gettext("Offline"),
        "ready_here": gettext("{count} items ready here"),
        "nothing_stored": gettext(
            "No connection, and this item is not stored here. Go back to continue: "
            "your judgments are stored and sent later."
        ),
        "sign_in": gettext("Sign in again in another tab; this page then continues."),
        "not_yours": gettext(
            "This item is no longer assigned to you, or you have signed in as somebody else."
        ),
        "bad_status": gettext("The site responds with {status}; the judgment is sent again."),
    }


def _keys() -> dict[str, str]:
    return {
        "press_key": gettext("Press the new key for {key}, or Escape."),
        "not_moved": gettext("Nothing was moved."),
        "not_movable": gettext("Only letters and digits can be used. Press one."),
        "moved": gettext("Moved: {one} and {other} have changed places."),
        "keys_reset": gettext("All keys are in their usual places."),
    }


def _picture() -> dict[str, str]:
    return {
        "still_broken": gettext("The picture still cannot be shown"),
        "part": gettext("Part of the picture"),
        "size": gettext("{width} × {height} pixels"),
        "size_zoomed": gettext("{width} × {height} pixels, shown at {percent} %"),
        "size_long": gettext(
            "{width} × {height} pixels: the strip shows the whole picture, the part beside the strip scrolls"
        ),
        "size_enlarged": gettext("{width} × {height} pixels, enlarged {times} times"),
    }

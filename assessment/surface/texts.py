"""Texts that the scripts of the judging pages show, in the language of the page.

Scripts have no plural forms, so a text with a number must suit any number.
"""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

TEXTS = {
    # the screen
    "undo": _("Undo"),
    "undo_last": _("Undo: {mark}"),
    "no_grade": pgettext_lazy("grade", "none"),
    "place": _("{place} of {total}"),
    "title": _("Item {place} of {total}"),
    "count_found": _("Found {count} times in this item."),
    "graded_already": _("Graded already: the first grade counts"),
    "reply_first": _("Reply to the question first"),
    "given": _("You gave {mark}."),
    "expected_later": _("The expected grade is shown once you are online."),
    "yours": _("yours"),
    "expected": _("expected"),
    "record_shown": _("The grades on record are shown."),
    # items
    "announce_grade": _("Item {place} graded {grade}, {name}."),
    "announce_answer": _("Item {place}: {name}."),
    "announce_answers": _("{name}, items: {count}."),
    "announce_reason": _("Item {place} cannot be judged."),
    "announce_undo": _("Undone: item {place} needs a judgment again."),
    "announce_flag": _("Flagged."),
    "announce_no_flag": _("Flag removed."),
    "announce_item": _("Item {place} of {total}."),
    "announce_broken": _("The picture cannot be shown."),
    "announce_offline": _("No connection: judgments are stored in this browser."),
    "announce_blocked": _("Not saved: see the line at the top."),
    "announce_end": _("All items are judged."),
    "ready_next": _("Next {count} ready"),
    "last_item": _("Last item"),
    "loading": _("Loading item {place}"),
    "not_loaded": _("Item {place} cannot be loaded now; trying again"),
    "paused": _("The organizers have paused this topic; trying again"),
    "item": _("item {place}"),
    "item_of": _("item {place} of {topic}"),
    "other_topic": _("another topic"),
    "judgments_of": _("{count} judgments of {topic}"),
    # walls
    "wall_title": _("Wall {wall} of {walls}"),
    "wall_number": _("wall {wall} of {walls}"),
    "wall_not_loaded": _("Wall {wall} cannot be loaded now; trying again"),
    "wall_done": _("All items of this wall are judged."),
    "announce_wall": _("Wall {wall} of {walls}, items: {count}."),
    "announce_many": _("Items graded {grade}, {name}: {count}."),
    "announce_undone": _("Undone, items: {count}."),
    "undo_many": _("Undo, items: {count}"),
    "rest": _("Rest as {grade}, items: {count}"),
    "cell_open": _("not graded"),
    "cell_grade": _("grade"),
    "cell_reason": _("cannot judge"),
    "cell_marked": _("marked"),
    "cell_opened": _("opened"),
    "cell_rest": pgettext_lazy("the rest of a wall", "rest"),
    "cell_conflict": _("or {mark}?"),
    "cell_to_open": _("open it"),
    "not_decoded": _("The picture of item {place} has not loaded yet."),
    "open_first": _("Item {place} is too small to see here. Open it to grade it."),
    "too_small": _("The picture of item {place} is too small to see. Make room for it first."),
    "open_to_reply": _("Open item {place} to reply to its question and grade it."),
    "open_later": _("Item {place} opens once you are online."),
    "announce_replied": _("Reply changed, items: {count}."),
    "open_offline": _("Item {place} opens once you are online. Grade it here."),
    "to_wall": _("Back to the wall"),
    # what is saved
    "saving": _("Saving"),
    "saved": _("Saved"),
    "kept": _("{count} stored here, sent with the wall"),
    "draft": _("Comment not saved yet"),
    "stored_offline": _("{count} stored here, no connection"),
    "stored_blocked": _("Not saved: {count} stored here"),
    "stored_waiting": _("Not saved yet: {count} stored in this browser."),
    "first_blocked": _("First {item}: {error}"),
    "refused_item": _("Not saved: {item}"),
    "refused": _("Not saved: {item}. {error}"),
    "not_counted": _("Not counted: {item}. {error}"),
    "conflict": _("Item {place}: you gave {mine} here, and on another page {theirs}. Which one counts?"),
    "conflict_hidden": _(
        "Item {place}: you gave {mine} here, and have settled it meanwhile on another page."
    ),
    "keep": _("Keep {mark}"),
    "keep_stored": _("Keep the one that is stored"),
    "unkept": _("This browser cannot store it: do not close or leave this page."),
    "offline": _("Offline"),
    "ready_here": _("{count} items ready here"),
    "nothing_stored": _(
        "No connection, and this item is not stored here. Go back to continue: "
        "your judgments are stored and sent later."
    ),
    "sign_in": _("Sign in again in another tab; this page then continues."),
    "not_yours": _("This item is no longer assigned to you, or you have signed in as somebody else."),
    "bad_status": _("The site responds with {status}; the judgment is sent again."),
    # keys
    "press_key": _("Press the new key for {key}, or Escape."),
    "not_moved": _("Nothing was moved."),
    "not_movable": _("Only letters and digits can be used. Press one."),
    "moved": _("Moved: {one} and {other} have changed places."),
    "keys_reset": _("All keys are in their usual places."),
    # pictures
    "still_broken": _("The picture still cannot be shown"),
    "part": _("Part of the picture"),
    "size": _("{width} × {height} pixels"),
    "size_zoomed": _("{width} × {height} pixels, shown at {percent} %"),
    "size_long": _(
        "{width} × {height} pixels: the strip shows the whole picture, the part beside the strip scrolls"
    ),
    "size_enlarged": _("{width} × {height} pixels, enlarged {times} times"),
}  # by name in the scripts, which fill in the names in braces

"""API operations that open and release a task, add pictures to its guidelines, and correct rows."""

from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404
from ninja import Router

from evaluation.collections.forms import PictureForm
from evaluation.collections.storing import read_picture
from evaluation.organizing.setup.actions import add_picture, confirm_release, open_now
from evaluation.organizing.setup.steps import Stage, checklist
from evaluation.platform.web.api.bearer import TokenRequest
from evaluation.platform.web.api.changes import change, read_form, texts
from evaluation.platform.web.api.operations import TASK, TRACK, DoneOut
from evaluation.platform.web.rows import fields_of_rows, find_row
from evaluation.tracks.lookups import find_judged_task, find_organized_task, find_organized_track
from trackside.errors import InputError

router = Router(tags=["Setting up"])
RELEASE = texts(
    words="The name of the task, to confirm.", when="`date`: confirm the release at its date; else now."
)
NAME = texts(name="Name of the picture.")
REMOVAL = texts(words="The name of the track, task or collection, to confirm; else nothing.")
ROW, ROW_FIELDS = f"{TRACK}/rows/{{slug:noun}}/{{int:record}}", fields_of_rows()


@change(router, f"{TASK}/open", DoneOut)
def setup_open(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Open a task for runs now, if nothing is missing."""
    track_task = find_organized_task(request, track, task)
    missing = [need.text for need in checklist(track_task, (Stage.OPEN,))]
    try:
        open_now(task=track_task, missing=missing)
    except ValidationError as error:
        raise InputError(" ".join(error.messages), code="dates-refused") from error
    return {"message": f"{track_task.name} is open for runs."}


@change(router, f"{TASK}/release", DoneOut, reads=RELEASE)
def setup_release(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Release a task in judging: topics, documents, qrels, values and the report become public."""
    track_task = find_judged_task(request, track, task)
    sent = read_form(RELEASE, request).cleaned_data
    confirm_release(task=track_task, words=sent["words"], is_at_its_date=sent["when"] == "date")
    return {"message": f"The release of {track_task.name} is confirmed."}


@change(router, f"{TASK}/pictures", DoneOut, reads=PictureForm, status=201)
def picture_add(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Add a picture to the guidelines, which show it by its name; with a credit also to the front pages."""
    track_task = find_organized_task(request, track, task)
    sent = read_form(PictureForm, request).cleaned_data
    content = read_picture(file=sent["picture"])
    picture = add_picture(task=track_task, name=sent["name"], content=content, credit=sent["credit"])
    return {"message": f"The picture {picture.name} is added."}


@change(router, f"{TASK}/pictures/remove", DoneOut, reads=NAME)
def picture_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove a picture from the guidelines; a line that shows it then shows its name."""
    track_task = find_organized_task(request, track, task)
    picture = get_object_or_404(track_task.pictures, **read_form(NAME, request).cleaned_data)
    picture.delete()
    return {"message": f"The picture {picture.name} is removed."}


@change(router, ROW, DoneOut, reads=ROW_FIELDS, rate="change")
def row_edit(request: TokenRequest, track: str, noun: str, record: int) -> dict[str, str]:
    """Change a row of a track, such as its licence, a topic's note or a team's name.

    The noun and the number of the record are in the address of its page. Fields that are not sent
    stay. An item has its texts as `text_0`, `text_1` and so on, a team its limit in task 7 as `limit_7`.
    """
    table, stored = find_row(find_organized_track(request, track), noun, record)
    table.save(read_form(table.form_of(stored), request), request.user)
    return {"message": f"{stored} is saved."}


@change(router, f"{ROW}/remove", DoneOut, reads=REMOVAL, rate="change")
def row_remove(request: TokenRequest, track: str, noun: str, record: int) -> dict[str, str]:
    """Remove a row of a track that nothing else needs, such as a topic, a membership or an announcement."""
    table, stored = find_row(find_organized_track(request, track), noun, record)
    title = str(stored)
    table.remove_row(stored, read_form(REMOVAL, request).cleaned_data["words"])
    return {"message": f"{title} is removed."}

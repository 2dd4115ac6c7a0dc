"""API operation of values: for organizers, after the release for everybody except assessors."""

from typing import Annotated, Any

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field, StringConstraints

from evaluation.platform.web.api.bearer import TokenRequest, reader
from evaluation.platform.web.api.operations import TASK, Page, Window, page_of
from evaluation.results.values.models import MeasureValue
from evaluation.tracks.lookups import find_task

router = Router(tags=["Results"], auth=reader)


class ValueOut(Schema):
    """One measure of one run under one set of qrels. An undefined value is null."""

    run: int
    tag: str
    team: str
    qrels: int
    measure: str
    mean: float | None
    topics: dict[str, float | None] | None = Field(description="Value by topic, if requested.")
    code_version: str


class ValueFilter(Window):
    """Filter of values."""

    run: int | None = None
    qrels: int | None = None
    measure: Annotated[str, StringConstraints(max_length=32, pattern=r"^[^\x00]*$")] = Field(
        "", description="Such as nDCG@10."
    )
    per_topic: bool = Field(default=False, description="Include the value of each topic.")


@router.get(f"{TASK}/scores", response=Page[ValueOut], url_name="score_list")
def score_list(
    request: TokenRequest, response: HttpResponse, track: str, task: str, wanted: Query[ValueFilter]
) -> dict[str, Any]:
    """List the values of the runs that you may see, under the qrels that you may see."""
    values = MeasureValue.objects.visible_to(request.user).filter(run__task=find_task(request, track, task))
    asked = wanted.model_dump(include={"run", "qrels", "measure"})
    values = values.filter(**{name: value for name, value in asked.items() if value not in (None, "")})
    values = values.select_related("run__team", "qrels")
    page = page_of(values, wanted, request, response, by=["qrels_id", "measure", "run_id"])
    return page | {"items": [_item(value, per_topic=wanted.per_topic) for value in page["items"]]}


def _item(value: MeasureValue, *, per_topic: bool) -> dict[str, Any]:
    topics = dict(zip(value.qrels.topics, value.values, strict=True)) if per_topic else None
    return {
        "run": value.run_id,
        "tag": value.run.tag,
        "team": value.run.team.name,
        "qrels": value.qrels_id,
        "measure": value.measure,
        "mean": value.mean,
        "topics": topics,
        "code_version": value.code_version,
    }

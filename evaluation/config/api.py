"""The web API, version 1: the three apps' routers and their schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninja import NinjaAPI

from assessment.api import router as assessment_router
from evaluation.api import router as evaluation_router
from evaluation.api.problems import CONTENT_TYPE, Problem, tell_problems
from judges.api import router as judges_router

if TYPE_CHECKING:
    from ninja.openapi.schema import OpenAPISchema
    from ninja.operation import Operation

SCHEMAS = "#/components/schemas/"
DESCRIPTION = """Everything that a participant or an organizer does with files, for programs.

Sign in with a personal token, as `Authorization: Bearer trackside_…`; people make theirs on the page
`/account/tokens/`. A token may read, submit, organize, or several of these, and never more than its owner.

Lists come a page at a time (`limit`, `offset`; the header `Link` names the neighbours). A GET has an `ETag`;
ask again with `If-None-Match`, and 304 says that nothing has changed. What goes wrong is told as
`application/problem+json`. What you may not see and what is not there get the same 404."""


class TracksideAPI(NinjaAPI):
    """An API of which every operation can also answer with a problem."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of its function, wherever that may move to."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """The schema of all operations, with the problem as what else they may answer."""
        schema = super().get_openapi_schema(**options)
        told = Problem.model_json_schema(ref_template=SCHEMAS + "{model}")
        schema["components"]["schemas"] |= told.pop("$defs") | {"Problem": told}
        content = {CONTENT_TYPE: {"schema": {"$ref": f"{SCHEMAS}Problem"}}}
        for path in schema["paths"].values():
            for operation in path.values():
                operation["responses"]["default"] = {"description": "A problem", "content": content}
        return schema


api = TracksideAPI(
    title="Trackside",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    openapi_url="openapi.json",
)
tell_problems(api)
for router in (evaluation_router, assessment_router, judges_router):
    api.add_router("", router)

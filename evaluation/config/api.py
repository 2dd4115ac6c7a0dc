"""The web API, version 1: the three apps' routers and their schema."""

from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from assessment.api import router as assessment_router
from evaluation.api import router as evaluation_router
from evaluation.web.api.described import check_body, describe_errors
from evaluation.web.api.problems import answer_with_problems
from judges.api import router as judges_router

DESCRIPTION = """Everything that participants and organizers do with files, for programs.

Sign in with a personal token, as `Authorization: Bearer trackside_…`; create yours on the page
`/account/tokens/`. A token may read, submit, organize, or several of these, and never more than its owner.

Lists are paged (`limit`, `offset`; the header `Link` names the neighbouring pages). A GET returns an `ETag`;
send it as `If-None-Match`, and 304 means that nothing has changed. Errors are `application/problem+json`.
A request for an object that you may not see returns 404, as if the object did not exist."""


class TracksideAPI(NinjaAPI):
    """An API whose description names all errors, and which accepts the bodies that it describes."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of the view function, so that the id stays when the module changes."""
        return operation.view_func.__name__

    def create_temporal_response(self, request: HttpRequest) -> HttpResponse:
        """Check the body; ninja calls this once the token is accepted, before it reads any value."""
        if request.method != "GET":
            check_body(request, self._schema)
        return super().create_temporal_response(request)

    def get_openapi_schema(self, **_options: Any) -> OpenAPISchema:
        """Return the schema of all operations.

        Each process builds it once, because it takes 0.2 s and anybody may request it.
        """
        return self._schema

    @cached_property
    def _schema(self) -> OpenAPISchema:
        schema = super().get_openapi_schema()
        describe_errors(schema)
        return schema


api = TracksideAPI(
    title="Trackside",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    openapi_url="openapi.json",
)
answer_with_problems(api)
for router in (evaluation_router, assessment_router, judges_router):
    api.add_router("", router)

"""Whatever a page does by POST, a program can do: each action has an API operation, or a reason."""

from evaluation.config.api import api
from tests.addresses.urlconf import named_routes
from tests.permissions.permission_table import address_rows

# Page actions whose operation has another name.
OPERATIONS = {
    "feedback": {"feedback_open", "feedback_note"},
    "import_upload": {
        "topics_import",
        "documents_import",
        "docnos_import",
        "corpus_import",
        "runs_import",
        "qrels_import",
    },
    "late_exceptions": {"late_exception_grant"},
    "member_invite": {"invitation_send"},
    "run_upload": {"run_submit"},
    "run_withdraw": {"run_withdraw", "run_withdraw_on_record"},
    "setup_guidelines": {"picture_add"},
    "setup_people": {"invitation_send"},
    "setup_teams": {"invitation_send"},
}
TEAM = "/tracks/<track>/teams/<team>/"
# Why page actions have no operation, by the beginnings of their addresses.
REASONS = {
    "setting up a track that exists, once a year: a file creates a new track": [
        "/setup/",
        "/tracks/<track>/setup/",
        "/tracks/<track>/registration/",
        "/tracks/<track>/tasks/<task>/setup/",
    ],
    "a person's account, signing in, and tokens: a stolen token must not make another": ["/account/"],
    "joining by an invitation or a link signs in, or makes an account": ["/invitations/", "/teams/join/"],
    "who belongs to a team: a stolen token must not take a team over": [
        *(f"{TEAM}{part}" for part in ("link/renew/", "link/close/", "leave/", "members/")),
    ],
    "a question is a person's words to people, who answer them": ["/tracks/<track>/tasks/<task>/questions/"],
    "the judging screen: a judgment has the seconds for which a person saw the item": [
        "/judging/",
        "/tracks/<track>/tasks/<task>/training/",
        "/tracks/<track>/tasks/<task>/judging/disagreements/items/",
    ],
}


def page_actions() -> list[str]:
    """The names of the pages that accept a POST."""
    return sorted({row.name for row in address_rows() if row.method == "POST" and ":" not in row.name})


def operations() -> set[str]:
    """The names of the API's operations that change something."""
    paths = api.get_openapi_schema()["paths"]
    return {methods["post"]["operationId"] for methods in paths.values() if "post" in methods}


def reasons_of(name: str) -> list[str]:
    """The beginnings of addresses that explain why a page action has no operation."""
    address = named_routes()[name].address
    return [start for starts in REASONS.values() for start in starts if address.startswith(start)]


def test_every_page_action_has_an_operation_or_a_reason() -> None:
    known = operations()
    lacking = [name for name in page_actions() if not OPERATIONS.get(name, {name}) <= known]
    assert [name for name in lacking if not reasons_of(name)] == []
    needed = {start for name in lacking for start in reasons_of(name)}
    assert {start for starts in REASONS.values() for start in starts} == needed
    assert len(page_actions()) > 90


def test_action_with_an_operation_of_its_name_is_not_listed() -> None:
    assert [name for name in OPERATIONS if name not in page_actions() or {name} == OPERATIONS[name]] == []

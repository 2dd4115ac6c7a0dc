"""URLs of the app: a task's pages are below its track, and no URL contains a docno or a tag."""

from allauth.account.views import logout
from allauth.urls import build_provider_urlpatterns
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.cache import never_cache

from evaluation.collections import pages as collections
from evaluation.organizing.audit.pages import audit_file, audit_list
from evaluation.organizing.auditing.pages import task_audit
from evaluation.organizing.imports import pages as imports
from evaluation.organizing.pages.home import home
from evaluation.organizing.pages.long_work import work_list, work_retry
from evaluation.organizing.pages.numbers import collection_numbers
from evaluation.organizing.pages.runs import run_detail, run_list
from evaluation.organizing.pages.task import task_detail
from evaluation.organizing.pages.task_files import task_file
from evaluation.organizing.pages.track import collection_release, track_archive, track_detail, track_restore
from evaluation.organizing.setup import content_pages as content
from evaluation.organizing.setup import pages as setup
from evaluation.organizing.setup.people_pages import invitation_withdraw, setup_people, setup_teams
from evaluation.organizing.setup.row_pages import row_edit, row_remove
from evaluation.platform.access import pages as access
from evaluation.platform.access.linked_accounts import guarded
from evaluation.platform.access.recovery_codes import CodesFile, CodesPage
from evaluation.results.qrels.pages import prels_file, qrels_file
from evaluation.results.reports import files
from evaluation.results.reports import section_pages as sections
from evaluation.results.reports.choice import report_ask
from evaluation.results.reports.pages import report_detail
from evaluation.results.reports.third_pages import report_third
from evaluation.results.topic_pages.document_pages import document_detail, document_list
from evaluation.results.topic_pages.pages import topic_detail, topic_list
from evaluation.results.values.leaderboard import leaderboard, leaderboard_file
from evaluation.results.values.run_values import run_scores
from evaluation.submissions.pools.pages import pool_build, pool_preview
from evaluation.submissions.runs import pages as runs
from evaluation.submissions.teams import pages as teams
from evaluation.submissions.teams.invitation_pages import invitation_accept, member_invite
from evaluation.tracks.announcements.pages import announcement_create
from evaluation.tracks.inquiries.pages import inquiry_list
from evaluation.tracks.work.operations.pages import operation_list

of_setup = [
    path("", setup.setup, name="setup"),
    path("dates/", setup.setup_dates, name="setup_dates"),
    path("collection/", content.setup_collection, name="setup_collection"),
    path("topics/", content.setup_topics, name="setup_topics"),
    path("criteria/", content.setup_criteria, name="setup_criteria"),
    path("guidelines/", setup.setup_guidelines, name="setup_guidelines"),
    path("runs/", content.setup_runs, name="setup_runs"),
    path("people/", setup_people, name="setup_people"),
    path("teams/", setup_teams, name="setup_teams"),
    path("invitations/<int:invitation>/withdraw/", invitation_withdraw, name="invitation_withdraw"),
    path("open/", setup.setup_open, name="setup_open"),
    path("release/", setup.setup_release, name="setup_release"),
]

of_task: list[URLPattern | URLResolver] = [
    path("setup/", include(of_setup)),
    path("", task_detail, name="task_detail"),
    path("leaderboard/", leaderboard, name="leaderboard"),
    path("leaderboard/scores.<slug:form>", leaderboard_file, name="leaderboard_file"),
    path("audit/", task_audit, name="task_audit"),
    path("imports/", imports.import_list, name="import_list"),
    path("imports/new/<slug:kind>/", imports.import_upload, name="import_upload"),
    path("imports/<int:task_import>/", imports.import_detail, name="import_detail"),
    path("imports/<int:task_import>/confirm/", imports.import_confirm, name="import_confirm"),
    path("imports/<int:task_import>/fields/", imports.import_fields, name="import_fields"),
    path("imports/<int:task_import>/remove/", imports.import_remove, name="import_remove"),
    path("imports/<int:task_import>/retry/", imports.import_retry, name="import_retry"),
    path("imports/<int:task_import>/samples/<int:sample>/", imports.import_sample, name="import_sample"),
    path("work/", work_list, name="work_list"),
    path("work/<slug:work>/<int:row>/retry/", work_retry, name="work_retry"),
    path("questions/", inquiry_list, name="inquiry_list"),
    path("operations/", operation_list, name="operation_list"),
    path("pools/", pool_build, name="pool_build"),
    path("pools/previews/<int:operation>/", pool_preview, name="pool_preview"),
    path("collection/", collection_release, name="collection_release"),
    path("collection/numbers/", collection_numbers, name="collection_numbers"),
    path("tables/<slug:rows>.<slug:form>", task_file, name="task_file"),
    path("qrels/<int:qrels>.qrels", qrels_file, name="qrels_file"),
    path("qrels/<int:qrels>.prels", prels_file, name="prels_file"),
    path("report/", report_detail, name="report_detail"),
    path("report/sections/<slug:section>/", sections.report_section, name="report_section"),
    path("report/tables/", sections.report_tables, name="report_tables"),
    path("report/whole/", sections.report_whole, name="report_whole"),
    path("report/report.html", sections.report_file, name="report_file"),
    path("report/ask/", report_ask, name="report_ask"),
    path("report/third/", report_third, name="report_third"),
    path("report/bundle.zip", files.report_bundle, name="report_bundle"),
    path("report/pack/", files.report_pack, name="report_pack"),
    path("report/report.tex", files.report_latex, name="report_latex"),
    path("report/methods.txt", files.report_methods, name="report_methods"),
    path("report/figures/<slug:figure>.svg", files.report_figure, {"form": "svg"}, name="report_figure"),
    path(
        "report/figures/<slug:figure>.pdf",
        files.report_figure,
        {"form": "pdf"},
        name="report_figure_pdf",
    ),
    path("report/tables/<slug:table>.<slug:form>", files.report_table, name="report_table"),
    path("topics.jsonl", collections.topics_file, name="topics_file"),
    path("topics.zip", collections.topics_zip, name="topics_zip"),
    path("docnos.txt", collections.docnos_file, name="docnos_file"),
    path("documents.jsonl", collections.documents_file, name="documents_file"),
    path("documents-<int:part>.zip", collections.documents_zip, name="documents_zip"),
    path("topics/", topic_list, name="topic_list"),
    path("topics/<int:topic>/", topic_detail, name="topic_detail"),
    path("documents/", document_list, name="document_list"),
    path("documents/<int:document>/", document_detail, name="document_detail"),
    path("runs/", run_list, name="run_list"),
    path("runs/upload/", runs.run_upload, name="run_upload"),
    path("runs/replies/", runs.run_replies, name="run_replies"),
    path("runs/settings/", runs.run_settings, name="run_settings"),
    path("runs/exceptions/", runs.late_exceptions, name="late_exceptions"),
    path(
        "runs/exceptions/<int:exception>/withdraw/",
        runs.late_exception_withdraw,
        name="late_exception_withdraw",
    ),
    path("runs/<int:run>/", run_detail, name="run_detail"),
    path("runs/<int:run>/confirm/", runs.run_confirm, name="run_confirm"),
    path("runs/<int:run>/edit/", runs.run_edit, name="run_edit"),
    path("runs/<int:run>/file", runs.run_file, name="run_file"),
    path("runs/<int:run>/notes/", runs.run_note, name="run_note"),
    path("runs/<int:run>/recheck/", runs.run_recheck, name="run_recheck"),
    path("runs/<int:run>/scores.<slug:form>", run_scores, name="run_scores"),
    path("runs/<int:run>/verdict.json", runs.run_verdict_json, name="run_verdict_json"),
    path("runs/<int:run>/verdict.txt", runs.run_verdict_text, name="run_verdict_text"),
    path("runs/<int:run>/withdraw/", runs.run_withdraw, name="run_withdraw"),
]

of_teams = [
    path("new/", teams.team_create, name="team_create"),
    path("<int:team>/", teams.team_detail, name="team_detail"),
    path("<int:team>/apply/", teams.team_apply, name="team_apply"),
    path("<int:team>/decide/", teams.team_decide, name="team_decide"),
    path("<int:team>/rename/", teams.team_rename, name="team_rename"),
    path("<int:team>/link/renew/", teams.team_link_renew, name="team_link_renew"),
    path("<int:team>/link/close/", teams.team_link_close, name="team_link_close"),
    path("<int:team>/leave/", teams.team_leave, name="team_leave"),
    path("<int:team>/members/<int:member>/remove/", teams.member_remove, name="member_remove"),
    path("<int:team>/members/<int:member>/hand-over/", teams.team_hand_over, name="team_hand_over"),
]

of_account = [
    path("", access.account, name="account"),
    path("name/", access.name_change, name="name_change"),
    path("language/", access.language_change, name="language_change"),
    path("reminders/", access.reminders_change, name="reminders_change"),
    path("logout/", never_cache(logout), name="account_logout"),  # django-allauth lets browsers keep it
    path("", include("allauth.account.urls")),
    path("second-factor/recovery-codes/", CodesPage.as_view(), name="mfa_view_recovery_codes"),
    path("second-factor/recovery-codes/download/", CodesFile.as_view(), name="mfa_download_recovery_codes"),
    path("second-factor/", include("allauth.mfa.urls")),
    path("linked/", include("allauth.socialaccount.urls")),
    *guarded(build_provider_urlpatterns()),
]

urlpatterns = [
    re_path(
        r"^images/(?P<sha256>[0-9a-f]{64})/(?P<size>display|small|thumbnail)$",
        collections.image,
        name="image",
    ),
    path("", home, name="home"),
    path("account/", include(of_account)),
    path("account/tokens/", access.account_tokens, name="account_tokens"),
    path("account/tokens/<int:number>/revoke/", access.token_revoke, name="token_revoke"),
    path("invitations/<str:token>/", invitation_accept, name="invitation_accept"),
    path("setup/", setup.track_begin, name="track_begin"),
    path("setup/file/", setup.track_create, name="track_create"),
    path("tracks/<slug:track>/", track_detail, name="track_detail"),
    path("tracks/<slug:track>/setup/", setup.task_begin, name="task_begin"),
    path("tracks/<slug:track>/setup/track.toml", setup.track_file, name="track_file"),
    path("audit/", audit_list, name="audit_site"),
    path("audit.csv", audit_file, name="audit_site_file"),
    path("tracks/<slug:track>/audit/", audit_list, name="audit_list"),
    path("tracks/<slug:track>/audit.csv", audit_file, name="audit_file"),
    path("tracks/<slug:track>/teams/", include(of_teams)),
    path("teams/join/<str:link>/", teams.team_join, name="team_join"),
    path("tracks/<slug:track>/archive/", track_archive, name="track_archive"),
    path("tracks/<slug:track>/restore/", track_restore, name="track_restore"),
    path("tracks/<slug:track>/registration/", teams.track_registration, name="track_registration"),
    path("tracks/<slug:track>/rows/<slug:noun>/<int:record>/", row_edit, name="row_edit"),
    path("tracks/<slug:track>/rows/<slug:noun>/<int:record>/remove/", row_remove, name="row_remove"),
    path("tracks/<slug:track>/announce/", announcement_create, name="announcement_create"),
    path("tracks/<slug:track>/invite/", member_invite, name="member_invite"),
    path("tracks/<slug:track>/tasks/<slug:task>/", include(of_task)),
]

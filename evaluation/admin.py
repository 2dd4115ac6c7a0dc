"""Import all admin registrations, so that Django finds them. Only setup models are editable."""

import evaluation.announcements.admin
import evaluation.collections.admin
import evaluation.imports.admin
import evaluation.mail.admin
import evaluation.pools.admin
import evaluation.qrels.admin
import evaluation.reports.admin
import evaluation.runs.admin
import evaluation.setup.admin
import evaluation.teams.admin
import evaluation.values.admin
import evaluation.web.admin.tokens
import evaluation.work.operations.admin
import evaluation.work.recomputing.admin  # noqa: F401

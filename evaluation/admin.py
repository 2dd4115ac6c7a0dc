"""Import all admin registrations, so that Django finds them. Only setup models are editable."""

import evaluation.access.admin.tokens
import evaluation.collections.admin
import evaluation.imports.admin
import evaluation.mail.admin
import evaluation.operations.admin
import evaluation.overview.admin
import evaluation.pools.admin
import evaluation.qrels.admin
import evaluation.recomputing.admin
import evaluation.reports.admin
import evaluation.runs.admin
import evaluation.teams.admin
import evaluation.values.admin  # noqa: F401

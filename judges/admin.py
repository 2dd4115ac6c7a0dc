"""Register the admin classes of the app; Django imports this module."""

import judges.catalogue.admin
import judges.grades.admin
import judges.jobs.admin
import judges.prompts.admin
import judges.trials.admin  # noqa: F401

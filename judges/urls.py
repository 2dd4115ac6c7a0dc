"""URLs of judges and of their jobs on a task's pools."""

from django.urls import URLPattern, URLResolver, include, path

from judges.grades import pages as grades
from judges.jobs import pages as jobs
from judges.pages import job
from judges.passports import pages as passports
from judges.trials import pages as trials

of_job = [
    path("", job.job_detail, name="job_detail"),
    path("progress", job.job_progress, name="job_progress"),
    path("mapping/", grades.mapping_fit, name="mapping_fit"),
    path("grades/", grades.mapping_preview, name="mapping_preview"),
    path("publish/", grades.job_publish, name="job_publish"),
    path("check/", grades.job_check, name="job_check"),
    *(path(f"{name}/", jobs.job_change, {"change": name}, name=f"job_{name}") for name in jobs.CHANGES),
]

of_setup = [
    path("", trials.setup_judges, name="setup_judges"),
    path("endpoints/", trials.judge_endpoints, name="judge_endpoints"),
    path("<int:judge>/retire/", trials.judge_retire, name="judge_retire"),
    path("<int:judge>/try/", trials.judge_try, name="judge_try"),
    path("compare/", trials.prompts_compare, name="prompts_compare"),
    path("trials/", trials.trial_progress, name="trial_progress"),
]

of_task: list[URLPattern | URLResolver] = [
    path("setup/judges/", include(of_setup)),
    path("jobs/start/", jobs.job_start, name="job_start"),
    path("jobs/<int:job>/", include(of_job)),
    path("judges/<int:judge>/", passports.judge_passport, name="judge_passport"),
    path("judges/<int:judge>/passport.json", passports.judge_passport_file, name="judge_passport_file"),
    path("judges/<int:judge>/probe/", passports.judge_probe, name="judge_probe"),
    path("scores/import/", grades.scores_import, name="scores_import"),
    path("prompts/new/", jobs.prompt_create, name="prompt_create"),
    path("prompts/", jobs.prompt_preview, name="prompt_preview"),
]

urlpatterns = [
    path("tracks/<slug:track>/tasks/<slug:task>/", include(of_task)),
]

"""URLs of judges and of their jobs on a task's pools."""

from django.urls import URLPattern, URLResolver, include, path

from judges.catalogue.pages import judge_list
from judges.grades.pages import (
    ensemble_create,
    job_check,
    job_publish,
    mapping_fit,
    mapping_preview,
    scores_import,
)
from judges.jobs.pages import CHANGES, job_change, job_start, prompt_preview
from judges.pages.job import job_detail, job_progress
from judges.prompts.pages import prompt_create
from judges.trials.pages import (
    judge_endpoints,
    judge_retire,
    judge_try,
    prompts_compare,
    setup_judges,
    trial_progress,
)

of_job = [
    path("", job_detail, name="job_detail"),
    path("progress", job_progress, name="job_progress"),
    path("mapping/", mapping_fit, name="mapping_fit"),
    path("grades/", mapping_preview, name="mapping_preview"),
    path("publish/", job_publish, name="job_publish"),
    path("check/", job_check, name="job_check"),
    *(path(f"{name}/", job_change, {"change": name}, name=f"job_{name}") for name in CHANGES),
]

of_task: list[URLPattern | URLResolver] = [
    path("start/", job_start, name="job_start"),
    path("<int:job>/", include(of_job)),
]

of_setup = [
    path("", setup_judges, name="setup_judges"),
    path("endpoints/", judge_endpoints, name="judge_endpoints"),
    path("<int:judge>/retire/", judge_retire, name="judge_retire"),
    path("<int:judge>/try/", judge_try, name="judge_try"),
    path("compare/", prompts_compare, name="prompts_compare"),
    path("trials/", trial_progress, name="trial_progress"),
]

urlpatterns = [
    path("judges/", judge_list, name="judge_list"),
    path("tracks/<slug:track>/tasks/<slug:task>/setup/judges/", include(of_setup)),
    path("tracks/<slug:track>/tasks/<slug:task>/jobs/", include(of_task)),
    path("tracks/<slug:track>/tasks/<slug:task>/ensembles/new/", ensemble_create, name="ensemble_create"),
    path("tracks/<slug:track>/tasks/<slug:task>/scores/import/", scores_import, name="scores_import"),
    path("tracks/<slug:track>/tasks/<slug:task>/prompts/new/", prompt_create, name="prompt_create"),
    path("tracks/<slug:track>/tasks/<slug:task>/prompts/", prompt_preview, name="prompt_preview"),
]

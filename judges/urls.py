"""Addresses of the judges and of their jobs on a task's pools."""

from django.urls import URLPattern, URLResolver, include, path

from judges.views.ensemble_create import ensemble_create
from judges.views.job_cancel import job_cancel
from judges.views.job_check import job_check
from judges.views.job_detail import job_detail, job_progress
from judges.views.job_pause import job_pause
from judges.views.job_publish import job_publish
from judges.views.job_resume import job_resume
from judges.views.job_retry import job_retry
from judges.views.job_start import job_start
from judges.views.judge_list import judge_list
from judges.views.mapping_fit import mapping_fit
from judges.views.mapping_preview import mapping_preview
from judges.views.prompt_preview import prompt_preview
from judges.views.scores_import import scores_import

of_job = [
    path("", job_detail, name="job_detail"),
    path("progress", job_progress, name="job_progress"),
    path("cancel/", job_cancel, name="job_cancel"),
    path("pause/", job_pause, name="job_pause"),
    path("resume/", job_resume, name="job_resume"),
    path("mapping/", mapping_fit, name="mapping_fit"),
    path("grades/", mapping_preview, name="mapping_preview"),
    path("publish/", job_publish, name="job_publish"),
    path("retry/", job_retry, name="job_retry"),
    path("check/", job_check, name="job_check"),
]

of_task: list[URLPattern | URLResolver] = [
    path("start/", job_start, name="job_start"),
    path("<int:job>/", include(of_job)),
]

urlpatterns = [
    path("judges/", judge_list, name="judge_list"),
    path("tracks/<slug:track>/tasks/<slug:task>/jobs/", include(of_task)),
    path("tracks/<slug:track>/tasks/<slug:task>/ensembles/new/", ensemble_create, name="ensemble_create"),
    path("tracks/<slug:track>/tasks/<slug:task>/scores/import/", scores_import, name="scores_import"),
    path("tracks/<slug:track>/tasks/<slug:task>/prompts/", prompt_preview, name="prompt_preview"),
]

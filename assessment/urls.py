"""Addresses of judging. An item is named by its assignment and its place in the shown order, nothing else."""

from django.urls import include, path

from assessment.views.adjudication_assign import adjudication_assign
from assessment.views.assignment_change import assignment_change
from assessment.views.disagreement_list import disagreement_list
from assessment.views.item_adjudicate import item_adjudicate
from assessment.views.items_take import items_take
from assessment.views.judging_content import judging_content
from assessment.views.judging_item import judging_item
from assessment.views.judging_items import judging_items
from assessment.views.judging_list import judging_list
from assessment.views.judging_progress import judging_progress
from assessment.views.judging_quality import judging_quality
from assessment.views.judging_resume import judging_resume
from assessment.views.judgment_record import judgment_record
from assessment.views.judgment_undo import judgment_undo
from assessment.views.judgments_export import judgments_export
from assessment.views.judgments_publish import judgments_publish
from assessment.views.topics_assign import topics_assign
from assessment.views.training import training

of_task = [
    path("", judging_progress, name="judging_progress"),
    path("assign/", topics_assign, name="topics_assign"),
    path("assignments/<int:assignment>/", assignment_change, name="assignment_change"),
    path("quality/", judging_quality, name="judging_quality"),
    path("disagreements/", disagreement_list, name="disagreement_list"),
    path("disagreements/settle", item_adjudicate, name="item_adjudicate"),
    path("disagreements/hand-over", adjudication_assign, name="adjudication_assign"),
    path("judgments.<slug:form>", judgments_export, name="judgments_export"),
    path("publish/", judgments_publish, name="judgments_publish"),
]

of_assignment = [
    path("", judging_resume, name="judging_resume"),
    path("items/", judging_items, name="judging_items"),
    path("items/<int:place>/", judging_item, name="judging_item"),
    path("items/<int:place>/content", judging_content, name="judging_content"),
    path("items/<int:place>/judgment", judgment_record, name="judgment_record"),
    path("items/<int:place>/undo", judgment_undo, name="judgment_undo"),
]

urlpatterns = [
    path("judging/", judging_list, name="judging_list"),
    path("tracks/<slug:track>/tasks/<slug:task>/training/", training, name="training"),
    path("judging/take/", items_take, name="items_take"),
    path("judging/<int:assignment>/", include(of_assignment)),
    path("tracks/<slug:track>/tasks/<slug:task>/judging/", include(of_task)),
]

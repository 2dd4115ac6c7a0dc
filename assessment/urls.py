"""URLs of judging. An item's URL has only its assignment and its place in the order of display."""

from django.urls import include, path

from assessment.assigning.pages import assignment_change, topics_assign
from assessment.judging.pages import (
    judging_content,
    judging_item,
    judging_items,
    judging_list,
    judging_resume,
)
from assessment.judging.saving import (
    items_take,
    judgment_record,
    judgment_undo,
    lease_extend,
    remark_record,
)
from assessment.publishing.export import judgments_export
from assessment.publishing.pages import judging_progress, judgments_publish
from assessment.quality.pages import adjudication_assign, disagreement_list, item_adjudicate, judging_quality
from assessment.training.pages import training

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
    path("lease", lease_extend, name="lease_extend"),
    path("items/", judging_items, name="judging_items"),
    path("items/<int:place>/", judging_item, name="judging_item"),
    path("items/<int:place>/content", judging_content, name="judging_content"),
    path("items/<int:place>/judgment", judgment_record, name="judgment_record"),
    path("items/<int:place>/remark", remark_record, name="remark_record"),
    path("items/<int:place>/undo", judgment_undo, name="judgment_undo"),
]

urlpatterns = [
    path("judging/", judging_list, name="judging_list"),
    path("tracks/<slug:track>/tasks/<slug:task>/training/", training, name="training"),
    path("judging/take/", items_take, name="items_take"),
    path("judging/<int:assignment>/", include(of_assignment)),
    path("tracks/<slug:track>/tasks/<slug:task>/judging/", include(of_task)),
]

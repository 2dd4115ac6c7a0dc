"""URLs of judging. An item's URL has only its assignment and its place in the order of display."""

from django.urls import URLPattern, URLResolver, include, path

from assessment.assigning.pages import assignment_change, topics_assign
from assessment.judging.pages import (
    judging_content,
    judging_item,
    judging_items,
    judging_list,
    judging_resume,
    judging_status,
    judging_worker,
)
from assessment.judging.saving import (
    items_take,
    judgment_record,
    judgment_undo,
    lease_extend,
    remark_record,
)
from assessment.preparing.pages import extra_question_remove, gold_remove, setup_gold, setup_plan
from assessment.publishing.export import judgments_export
from assessment.publishing.pages import judging_progress, judgments_publish
from assessment.quality.adjudication_pages import (
    adjudication_content,
    adjudication_item,
    adjudication_next,
    adjudication_remark,
    adjudication_undo,
    item_adjudicate,
)
from assessment.quality.pages import adjudication_assign, disagreement_list, judging_quality
from assessment.training.pages import (
    training,
    training_answer,
    training_content,
    training_item,
    training_next,
)
from assessment.wall.pages import judging_wall, wall_content
from assessment.wall.saving import events_record

of_adjudication = [
    path("", adjudication_item, name="adjudication_item"),
    path("content", adjudication_content, name="adjudication_content"),
    path("judgment", item_adjudicate, name="item_adjudicate"),
    path("remark", adjudication_remark, name="adjudication_remark"),
    path("undo", adjudication_undo, name="adjudication_undo"),
]

of_task: list[URLPattern | URLResolver] = [
    path("", judging_progress, name="judging_progress"),
    path("assign/", topics_assign, name="topics_assign"),
    path("assignments/<int:assignment>/", assignment_change, name="assignment_change"),
    path("quality/", judging_quality, name="judging_quality"),
    path("disagreements/", disagreement_list, name="disagreement_list"),
    path("disagreements/next", adjudication_next, name="adjudication_next"),
    path("disagreements/items/<int:topic>-<int:document>/", include(of_adjudication)),
    path("disagreements/hand-over", adjudication_assign, name="adjudication_assign"),
    path("judgments.<slug:form>", judgments_export, name="judgments_export"),
    path("publish/", judgments_publish, name="judgments_publish"),
]

of_setup = [
    path("plan/", setup_plan, name="setup_plan"),
    path("plan/questions/<int:extra>/remove/", extra_question_remove, name="extra_question_remove"),
    path("gold/", setup_gold, name="setup_gold"),
    path("gold/<int:gold>/remove/", gold_remove, name="gold_remove"),
]

of_training = [
    path("", training, name="training"),
    path("next", training_next, name="training_next"),
    path("items/<int:item>/", training_item, name="training_item"),
    path("items/<int:item>/content", training_content, name="training_content"),
    path("items/<int:item>/judgment", training_answer, name="training_answer"),
]

of_assignment = [
    path("", judging_resume, name="judging_resume"),
    path("status", judging_status, name="judging_status"),
    path("lease", lease_extend, name="lease_extend"),
    path("items/", judging_items, name="judging_items"),
    path("items/<int:place>/", judging_item, name="judging_item"),
    path("items/<int:place>/content", judging_content, name="judging_content"),
    path("items/<int:place>/judgment", judgment_record, name="judgment_record"),
    path("items/<int:place>/remark", remark_record, name="remark_record"),
    path("items/<int:place>/undo", judgment_undo, name="judgment_undo"),
    path("walls/<int:wall>/", judging_wall, name="judging_wall"),
    path("walls/<int:wall>/content", wall_content, name="wall_content"),
    path("events", events_record, name="events_record"),
]

urlpatterns = [
    path("judging/", judging_list, name="judging_list"),
    path("tracks/<slug:track>/tasks/<slug:task>/setup/", include(of_setup)),
    path("tracks/<slug:track>/tasks/<slug:task>/training/", include(of_training)),
    path("judging/worker.js", judging_worker, name="judging_worker"),
    path("judging/take/", items_take, name="items_take"),
    path("judging/<int:assignment>/", include(of_assignment)),
    path("tracks/<slug:track>/tasks/<slug:task>/judging/", include(of_task)),
]

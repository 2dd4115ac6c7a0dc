"""URLs of judging. An item's URL has only its assignment and its place in the order of display."""

from django.urls import URLPattern, URLResolver, include, path

from assessment.assigning import pages as assigning
from assessment.feedback import pages as feedback
from assessment.judging import pages as judging
from assessment.judging import saving
from assessment.preparing import pages as preparing
from assessment.publishing import pages as publishing
from assessment.quality import adjudication_pages as adjudication
from assessment.quality import pages as quality
from assessment.training import pages as training
from assessment.wall import pages as wall

of_adjudication = [
    path("", adjudication.adjudication_item, name="adjudication_item"),
    path("content", adjudication.adjudication_content, name="adjudication_content"),
    path("judgment", adjudication.item_adjudicate, name="item_adjudicate"),
    path("remark", adjudication.adjudication_remark, name="adjudication_remark"),
    path("undo", adjudication.adjudication_undo, name="adjudication_undo"),
]

of_task: list[URLPattern | URLResolver] = [
    path("", publishing.judging_progress, name="judging_progress"),
    path("assign/", assigning.topics_assign, name="topics_assign"),
    path("assignments/<int:assignment>/", assigning.assignment_change, name="assignment_change"),
    path("quality/", quality.judging_quality, name="judging_quality"),
    path("disagreements/", quality.disagreement_list, name="disagreement_list"),
    path("disagreements/next", adjudication.adjudication_next, name="adjudication_next"),
    path("disagreements/items/<int:topic>-<int:document>/", include(of_adjudication)),
    path("disagreements/hand-over", quality.adjudication_assign, name="adjudication_assign"),
    path("exclusions/", quality.exclusion_list, name="exclusion_list"),
    path("exclusions/<int:exclusion>/undo", quality.exclusion_undo, name="exclusion_undo"),
    path("feedback/", feedback.feedback, name="feedback"),
    path("judgments.<slug:form>", publishing.judgments_export, name="judgments_export"),
    path("publish/", publishing.judgments_publish, name="judgments_publish"),
]

of_setup = [
    path("plan/", preparing.setup_plan, name="setup_plan"),
    path("gold/", preparing.setup_gold, name="setup_gold"),
    path("gold/<int:gold>/remove/", preparing.gold_remove, name="gold_remove"),
]

of_training = [
    path("", training.training, name="training"),
    path("next", training.training_next, name="training_next"),
    path("items/<int:item>/", training.training_item, name="training_item"),
    path("items/<int:item>/content", training.training_content, name="training_content"),
    path("items/<int:item>/judgment", training.training_answer, name="training_answer"),
]

of_assignment = [
    path("", judging.judging_resume, name="judging_resume"),
    path("status", judging.judging_status, name="judging_status"),
    path("lease", saving.lease_extend, name="lease_extend"),
    path("items/", judging.judging_items, name="judging_items"),
    path("items/<int:place>/", judging.judging_item, name="judging_item"),
    path("items/<int:place>/content", judging.judging_content, name="judging_content"),
    path("items/<int:place>/judgment", saving.judgment_record, name="judgment_record"),
    path("items/<int:place>/remark", saving.remark_record, name="remark_record"),
    path("items/<int:place>/undo", saving.judgment_undo, name="judgment_undo"),
    path("walls/<int:wall>/", wall.judging_wall, name="judging_wall"),
    path("walls/<int:wall>/content", wall.wall_content, name="wall_content"),
    path("events", wall.events_record, name="events_record"),
]

urlpatterns = [
    path("judging/", judging.judging_list, name="judging_list"),
    path("tracks/<slug:track>/tasks/<slug:task>/setup/", include(of_setup)),
    path("tracks/<slug:track>/tasks/<slug:task>/training/", include(of_training)),
    path("judging/worker.js", judging.judging_worker, name="judging_worker"),
    path("judging/take/", saving.items_take, name="items_take"),
    path("judging/feedback/<slug:track>/<slug:task>/", feedback.own_feedback, name="own_feedback"),
    path("judging/<int:assignment>/", include(of_assignment)),
    path("tracks/<slug:track>/tasks/<slug:task>/judging/", include(of_task)),
]

"""The page of a task's questions to the organizers."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import F
from django.forms import ModelForm
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from evaluation.platform.access.limits.views import form_view
from evaluation.platform.access.people import organizes
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.platform.access.site_mail import if_mailed
from evaluation.platform.web.opened_forms import compared
from evaluation.tracks.archiving import Archiving
from evaluation.tracks.inquiries.actions import ask_organizers
from evaluation.tracks.inquiries.forms import AnswerForm, QuestionForm
from evaluation.tracks.inquiries.models import Inquiry, tasks_to_ask_on
from evaluation.tracks.lookups import find_task

PAGE = 20  # questions


@form_view("inquiry")
def inquiry_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show the questions that the person may read, unanswered ones first; store a participant's new one."""
    track_task = find_task(request, track, task)
    is_organizer = organizes(request.user, track_task.track_id)
    may_ask = tasks_to_ask_on(request.user).contains(track_task)
    if not may_ask and (request.method == "POST" or not is_organizer):
        raise Http404
    form = QuestionForm(request.POST or None)
    if form.is_valid():
        with error_in(form, "text"):
            ask_organizers(task=track_task, text=form.cleaned_data["text"], by=request.user)
            mailed = if_mailed("You get a mail with their answer.")
            messages.success(request, f"The organizers see your question.{mailed}")
            return redirect("inquiry_list", track, task)
    inquiries = Inquiry.objects.visible_to(request.user).filter(task=track_task).with_teams()
    inquiries = inquiries.order_by(F("answered_at").desc(nulls_first=True), "-pk")
    page = Paginator(inquiries, PAGE).get_page(request.GET.get("page"))
    may_change = not Archiving.objects.filter(track=track_task.track_id).exists()
    context = {
        "task": track_task,
        "page": page,
        "asked": [(inquiry, _answer_form(inquiry)) for inquiry in page],
        "is_organizer": is_organizer,
        "form": form if may_ask and may_change else None,
        "may_edit": is_organizer and may_change,
    }
    return render(request, "evaluation/inquiries/inquiry_list.html", context)


def _answer_form(inquiry: Inquiry) -> ModelForm[Inquiry]:
    """Return the form below the question, without the question in it; ``row_edit`` takes what it sends."""
    form = compared(AnswerForm)(instance=inquiry, auto_id=f"answer-{inquiry.pk}-%s")
    form.fields["answer"].help_text = ""
    return form

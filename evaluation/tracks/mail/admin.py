"""Mails, sent and waiting, for the site's staff."""

from django.contrib import admin
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest

from evaluation.platform.web.admin import TracksideAdmin
from evaluation.tracks.mail.models import Mail
from evaluation.tracks.work.queueing import enqueue


@admin.register(Mail)
class MailAdmin(TracksideAdmin):
    """Mails and recipients. Texts are hidden: they contain codes and links that open accounts."""

    list_display = ("what", "to", "made_at", "sent_at", "tries", "due_at", "error")
    list_filter = ("what", ("sent_at", admin.EmptyFieldListFilter))
    search_fields = ("to",)
    exclude = ("text",)
    actions = ("send_again",)

    @admin.action(description="Try again now")
    def send_again(self, request: HttpRequest, mails: QuerySet[Mail]) -> None:
        """Retry mails that wait or were given up."""
        count = mails.filter(sent_at__isnull=True).update(due_at=Now(), tries=0)
        enqueue("evaluation.mail_send")
        self.message_user(request, f"Mails that are tried again: {count}.")

"""Publish an announcement, and mail it."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation

from evaluation.platform.access.languages import mail_language
from evaluation.platform.access.people import User
from evaluation.tracks.announcements.models import Announcement, Audience, readers_of
from evaluation.tracks.mail.actions import queue_mail, site_link
from evaluation.tracks.models import Track


@transaction.atomic
def announce(
    *, track: Track, audience: Audience, subject: str, text: str, by: User, is_mailed: bool = False
) -> Announcement:
    """Publish an announcement; with ``is_mailed``, queue a mail for each reader with a role in the track."""
    made = Announcement.objects.create(
        track=track, audience=audience, subject=subject, text=text, created_by=by
    )
    if is_mailed:
        context = mail_context(track, subject, text)
        for person in people_reading(track, audience):
            once = f"announcement {made.pk} {person.pk}"
            with translation.override(mail_language(person)):
                queue_mail(what="announcement", to=person.email, context=context, once=once)
    return made


def people_reading(track: Track, audience: Audience) -> QuerySet[User]:
    """Return the people of the track who get the mail: no organizer, and only active accounts."""
    members = User.objects.filter(memberships__in=readers_of(audience).filter(track=track))
    return members.filter(is_active=True).order_by("pk").distinct()


def mail_context(track: Track, subject: str, text: str) -> dict[str, object]:
    """Return the context of the mail's template."""
    return {
        "track": track,
        "subject": subject,
        "text": text,
        "link": site_link("track_detail", track.slug),
    }

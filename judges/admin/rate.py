"""What endpoints allow."""

from django.contrib import admin

from evaluation.admin.base import StaffAdmin
from judges.models import Rate


@admin.register(Rate)
class RateAdmin(StaffAdmin):
    """What endpoints allow a minute. Workers heed a change from their next request on."""

    list_display = ("endpoint", "model", "requests_per_minute", "tokens_per_minute", "in_flight")

"""Admin of rate limits."""

from django.contrib import admin

from evaluation.web.admin.base import StaffAdmin
from judges.catalogue.rate import Rate


@admin.register(Rate)
class RateAdmin(StaffAdmin):
    """Rate limits of endpoints. Workers apply a change to their next request."""

    list_display = ("endpoint", "model", "requests_per_minute", "tokens_per_minute", "in_flight")

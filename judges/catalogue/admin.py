"""Admin of rate limits of endpoints. Workers apply a change to their next request."""

from evaluation.web.admin.base import register_table
from judges.catalogue.rate import Rate

register_table(
    Rate,
    "endpoint model requests_per_minute tokens_per_minute in_flight",
    can="add change delete",
    list_filter=(),
)

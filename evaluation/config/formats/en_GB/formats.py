"""Formats of the admin's values: times on 24 hours with their zone, as on all other pages."""

DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j M Y H:i e"

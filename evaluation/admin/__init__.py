"""The admin: setup nouns to edit, the rest to read. Django finds the registrations through this module."""

from django.contrib import admin

from evaluation.admin import blob, collection, people, pool, qrels, run, token, track

__all__ = ["blob", "collection", "people", "pool", "qrels", "run", "token", "track"]

admin.site.site_title = "Trackside"
admin.site.site_header = "Trackside: setup and records"
admin.site.index_title = "Setup and records"

"""Read-only admin of pools, which are frozen."""

from __future__ import annotations

from django.contrib import admin

from evaluation.access.admin.base import ReadOnlyAdmin
from evaluation.pools.models import Pool, PoolItem, PoolRun


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    """Frozen pools."""

    track_path = "task__track"
    list_display = ("name", "task", "kind", "seed", "created_at", "created_by")
    list_filter = ("kind", ("task", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("task__track", "created_by")
    search_fields = ("name",)


@admin.register(PoolRun)
class PoolRunAdmin(ReadOnlyAdmin):
    """Contributing runs and their depths."""

    track_path = "pool__task__track"
    list_display = ("pool", "run", "depth")
    list_filter = (("pool", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("pool__task__track", "run")
    search_fields = ("run__tag",)
    ordering = ("pool", "run")


@admin.register(PoolItem)
class PoolItemAdmin(ReadOnlyAdmin):
    """The pairs of a pool."""

    track_path = "pool__task__track"
    list_display = ("topic", "docno", "pool", "position")
    list_filter = (("pool", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("pool__task__track",)
    search_fields = ("topic", "docno")

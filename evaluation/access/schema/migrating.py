"""Names that landed migrations import from here."""

from evaluation.platform.access.schema.migrating import CreateModels, install_triggers

__all__ = ["CreateModels", "install_triggers"]

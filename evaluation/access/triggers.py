"""Migration operation that installs the triggers of new tables."""

from collections.abc import Iterator

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from pgtrigger.compiler import Trigger


def install_triggers(app: str) -> RunPython:
    """Return the operation that installs the triggers named by the app's CreateModel operations.

    One AddTrigger per trigger would rebuild every related model each time: 0.1 s per trigger.
    """

    def install(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for trigger in _triggers(apps, app):
            editor.execute(trigger.install_sql, params=None)

    def uninstall(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for trigger in _triggers(apps, app):
            editor.execute(trigger.uninstall_sql, params=None)

    return RunPython(install, uninstall)


def _triggers(apps: Apps, app: str) -> Iterator[Trigger]:
    for model in apps.get_app_config(app).get_models():
        yield from getattr(model._meta, "triggers", ())  # noqa: SLF001 - where pgtrigger keeps them

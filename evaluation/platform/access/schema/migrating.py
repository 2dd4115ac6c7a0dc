"""Migration operations that create many tables and their triggers in one step."""

from collections.abc import Iterator, Sequence

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel, RunPython
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from pgtrigger.compiler import Trigger


class CreateModels(Operation):
    """Create several models; no operation between them may change their tables.

    One CreateModel after another would rebuild every related model each time: 0.05 s per model. Here all of
    them are added to a state without models, which Django builds when the first table is created.
    """

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to a state without rendered models."""
        state.__dict__.pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Create the tables."""
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Drop the tables."""
        for operation in reversed(self.operations):
            operation.database_backwards(app_label, schema_editor, from_state, to_state)


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

"""A migrated site in a folder for a benchmark that does the work of its processes."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def own_site(folder: Path, *, has_queue: bool = False, is_durable: bool = False) -> Iterator[None]:
    """Set Django up and run the embedded servers; the benchmark imports models within the block."""
    var = folder / "var"
    os.environ["DJANGO_SETTINGS_MODULE"] = "evaluation.config.settings_test"
    os.environ["TRACKSIDE_TEST_VAR"] = str(var)
    import django  # the settings read the environment above

    django.setup()
    from django.core.management import call_command

    from evaluation.running.hosting.addresses import socket_folder
    from evaluation.running.hosting.embedded import EmbeddedServers, embedded_servers

    folder.chmod(0o755)  # root's servers run under another account
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, socket_folder(var), ignore_errors=True)
        servers = EmbeddedServers(var, has_database=True, has_queue=has_queue, is_durable=is_durable)
        stack.enter_context(embedded_servers(servers))
        call_command("migrate", verbosity=0)
        yield

"""Store a filled site of this release for the upgrade tests: ``python -m tests.upgrades.make_release NAME``.

Run it once for each release, with the code of that release, and check the folder in. It never changes later.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import django
import zstandard

from tests.upgrades.sites import BACKUP, DATABASE, FOLDER

LEVEL = 19  # of zstandard: the files are read often and written once
# Lines of pg_dump that PostgreSQL 15 does not know: commands of psql, and a setting of later versions.
LATER = ("\\", "SET transaction_timeout")


def make_release(folder: Path) -> None:
    """Fill a site, and store it as a backup and as a dump of its database."""
    from tests.conftest import start_servers
    from tests.migrated_database import use_copy

    with start_servers():
        use_copy("release")
        fill()
        folder.mkdir(parents=True)
        store_backup(folder / BACKUP)
        (folder / DATABASE).write_bytes(zstandard.compress(dumped().encode(), LEVEL))


def fill() -> None:
    """Make rows of every noun, and a report that the site has computed."""
    from evaluation.models import Phase, QrelsKind
    from evaluation.results.reports.actions import compute_report
    from tests.factories import make_qrels, make_run, make_task
    from tests.whole_site import make_whole_site

    make_whole_site()
    task = make_task(phase=Phase.JUDGING, topic_count=3, document_count=3, slug="reported")
    for tag, order in (("a", "D1 D2 D3"), ("b", "D3 D2 D1"), ("c", "D2 D3")):
        make_run(task, tag=tag, results={f"T{topic}": order.split() for topic in (1, 2, 3)})
    grades: dict[tuple[str, str], int | None] = {
        (f"T{topic}", f"D{number}"): number - 1 for topic in (1, 2, 3) for number in (1, 2, 3)
    }
    make_qrels(task, name="people", grades=grades)
    make_qrels(task, name="clip", kind=QrelsKind.MODEL, grades=grades | {("T1", "D3"): 0})
    compute_report(task=task)


def store_backup(path: Path) -> None:
    """Write a backup; its rows are compressed already, so this removes the tar file's padding."""
    from evaluation.running.hosting.backup import back_up

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, "site.tar")
        back_up(plain, say=print)
        path.write_bytes(zstandard.compress(plain.read_bytes(), LEVEL))


def dumped() -> str:
    """Return the database as SQL that every supported PostgreSQL and every driver can run."""
    from django.conf import settings
    from django.db import connection

    from evaluation.running.hosting.addresses import EMBEDDED_NAME
    from evaluation.running.hosting.servers.install import Account, postgres_install

    name, host = connection.settings_dict["NAME"], settings.DATABASES["default"]["HOST"]
    connection.close()
    tool = postgres_install(Account(os.geteuid(), os.getegid())) / "bin" / "pg_dump"
    options = ("--inserts", "--rows-per-insert=100", "--no-owner", "--no-privileges")
    command = [tool, *options, f"--host={host}", f"--username={EMBEDDED_NAME}", name]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return "\n".join(line for line in text.splitlines() if not line.startswith(LATER))


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "evaluation.config.settings_test"
    django.setup()
    make_release(FOLDER / sys.argv[1])

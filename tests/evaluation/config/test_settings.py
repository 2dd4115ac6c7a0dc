"""Settings: read from the environment, every one documented, safe in production."""

import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from pytest_django import Settings

from evaluation.config.environment import Environment, kept_secret_key, read_env_file
from evaluation.running.hosting.addresses import (
    django_database,
    embedded_database_url,
    limit_statements,
    socket_folder,
)
from trackside.errors import InputError

ROOT = Path(settings.ROOT)
SUN_PATH_LIMIT = 107  # bytes of a socket's path, without the final NUL (unix(7))


def test_secret_is_read_from_the_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from the file\n")
    files = {"SECRET_KEY_FILE": str(tmp_path / "key")}
    assert Environment(files).text("SECRET_KEY") == "from the file"
    assert Environment({**files, "SECRET_KEY": "its own"}).text("SECRET_KEY") == "its own"
    with pytest.raises(InputError, match=r"SECRET_KEY_FILE=.*lost: .*No such file"):
        Environment({"SECRET_KEY_FILE": str(tmp_path / "lost")}).text("SECRET_KEY")


def test_env_example_names_every_setting_and_no_other() -> None:
    sources = [path.read_text() for path in (ROOT / "evaluation/config").rglob("*.py")]
    read = {name for source in sources for name in re.findall(r'\benv\.\w+\(\s*"(\w+)"', source)}
    named = set(read_env_file(ROOT / ".env.example"))
    assert read == named


def test_static_files_that_exist_at_the_start_are_served(settings: Settings, client: Client) -> None:
    """As in production, which lists the files once; in tests each file is looked up when requested."""
    settings.WHITENOISE_AUTOREFRESH = False
    answer = client.get("/static/assessment/judging.js")
    assert answer.status_code == 200
    assert b"".join(answer) == (ROOT / "assessment/static/assessment/judging.js").read_bytes()


def test_env_example_shows_values_that_change_nothing(tmp_path: Path) -> None:
    """An unchanged copy of .env.example must give the same settings as no .env at all."""
    code = (
        "import json; from evaluation.config import settings as s;"
        "print(json.dumps({k: repr(v) for k, v in vars(s).items() if k.isupper() and k != 'SECRET_KEY'}))"
    )

    def values(env_file: str) -> str:
        env = {"TRACKSIDE_ENV_FILE": env_file, "PATH": ""}
        return subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=env, text=True)

    assert values(str(ROOT / ".env.example")) == values("/dev/null")


@pytest.mark.whole
def test_production_settings_pass_the_deployment_checks(tmp_path: Path) -> None:
    env = {
        "SITE_URL": "https://track.example.org",
        "TRACKSIDE_VAR": str(tmp_path),
        "TRACKSIDE_ENV_FILE": "/dev/null",
        # With all providers of sign-in.
        "OIDC_CLIENT_ID": "id",
        "OIDC_SERVER_URL": "https://id.example.org",
        "ORCID_CLIENT_ID": "id",
        "GITHUB_CLIENT_ID": "id",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=env, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def limit_after(statement: str, var: Path) -> str:
    """The settings with which connections begin, after this import in a new interpreter."""
    code = (
        f"import django; {statement};"
        "from django.db import connection; print(connection.settings_dict['OPTIONS'].get('options'))"
    )
    env = {"TRACKSIDE_VAR": str(var), "TRACKSIDE_ENV_FILE": "/dev/null", "STATEMENT_SECONDS": "7"}
    env["DJANGO_SETTINGS_MODULE"] = "evaluation.config.settings"
    return subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, env=env, text=True).strip()


@pytest.mark.whole
def test_only_statements_of_web_processes_are_limited(tmp_path: Path) -> None:
    assert limit_after("import evaluation.config.wsgi", tmp_path) == "-c jit=off -c statement_timeout=7s"
    assert limit_after("import evaluation.config.celery; django.setup()", tmp_path) == "-c jit=off"


@pytest.mark.django_db
def test_database_ends_a_statement_at_the_limit() -> None:
    parameters = connection.get_connection_params()
    limit_statements(parameters, 1)
    known = {"dbname", "user", "host", "port", "options"} & parameters.keys()
    named = {name: parameters[name] for name in known}
    with psycopg.connect(**named) as session, pytest.raises(psycopg.errors.QueryCanceled):
        session.execute("SELECT pg_sleep(60)")


def test_limit_of_statements_keeps_options_of_the_address() -> None:
    options = {"options": "-c work_mem=8MB"}
    limit_statements(options, 0)
    assert options == {"options": "-c work_mem=8MB"}
    limit_statements(options, 30)
    assert options == {"options": "-c work_mem=8MB -c statement_timeout=30s"}


def test_flag_understands_yes_and_no_in_any_case() -> None:
    env = Environment({"A": "Yes", "B": "0", "C": ""})
    assert env.flag("A", default=False)
    assert not env.flag("B", default=True)
    assert env.flag("C", default=True)


@pytest.mark.parametrize(("name", "kind"), [("FLAG", "flag"), ("COUNT", "count")])
def test_bad_value_is_refused_by_name(name: str, kind: str) -> None:
    env = Environment({"FLAG": "perhaps", "COUNT": "-1"})
    with pytest.raises(InputError, match=name):
        env.flag("FLAG", default=True) if kind == "flag" else env.count("COUNT", default=1)


def test_words_are_split_and_trimmed() -> None:
    assert Environment({"HOSTS": " a.org, b.org ,"}).words("HOSTS") == ["a.org", "b.org"]


def test_env_file_keeps_equals_signs_and_drops_quotes(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("# comment\n\nA='x=y'\nB = plain\n")
    assert read_env_file(file) == {"A": "x=y", "B": "plain"}


def test_env_file_names_the_bad_line(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text("A=1\nexport B=2\n")
    with pytest.raises(InputError, match="line 2"):
        read_env_file(file)


def test_database_url_is_parsed() -> None:
    entry = django_database("postgresql://me:p%40ss@db.example.org:6543/tracks?sslmode=require")
    assert entry == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "tracks",
        "USER": "me",
        "PASSWORD": "p@ss",
        "HOST": "db.example.org",
        "PORT": "6543",
        "OPTIONS": {"sslmode": "require"},
    }


@pytest.mark.parametrize(
    "url", ["mysql://host/name", "postgresql://host", "postgresql://host:port/name", "tracks"]
)
def test_database_url_of_another_form_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(InputError, match="must look like") as raised:
        django_database(url)
    assert url not in str(raised.value)


def test_socket_path_is_short_and_depends_on_the_folder_alone() -> None:
    deep = Path("/home/somebody", *["a-rather-long-folder-name"] * 9)
    assert socket_folder(deep) == socket_folder(Path(str(deep)))
    assert socket_folder(deep) != socket_folder(deep.parent)
    assert len(str(socket_folder(deep) / ".s.PGSQL.5432").encode()) <= SUN_PATH_LIMIT
    assert django_database(embedded_database_url(deep))["HOST"] == str(socket_folder(deep))


def test_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret-key"
    key = kept_secret_key(path)
    assert len(key) >= 50
    assert kept_secret_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]

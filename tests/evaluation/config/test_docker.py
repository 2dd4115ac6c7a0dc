"""The files of Docker Compose agree with settings, process tree and units."""

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.utils.module_loading import import_string
from gunicorn.workers.gthread import ThreadWorker

from evaluation.config.celery import app
from evaluation.config.environment import read_env_file
from evaluation.running.hosting import site_parts
from evaluation.running.hosting.addresses import EMBEDDED_NAME, EMBEDDED_WEB

ROOT = Path(settings.ROOT)
SITE_SERVICES = {"setup", "web", "worker", "long", "judges", "trials", "beat"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yml").read_text())
    return content


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"]
    return found


def test_compose_has_every_part_of_a_site(services: dict[str, Any]) -> None:
    assert set(services) == SITE_SERVICES | {"proxy", "database", "queue", "vllm"}
    assert services["vllm"]["profiles"] == ["vllm"], "started only when asked for"


@pytest.mark.parametrize(
    ("service", "words"),
    [
        ("worker", site_parts.WORKER),
        ("long", site_parts.LONG),
        ("judges", site_parts.JUDGES),
        ("trials", site_parts.TRIALS),
        ("beat", (*site_parts.BEAT, "--enable-remote-control")),
    ],
)
def test_celery_services_run_what_the_process_tree_runs(
    services: dict[str, Any], service: str, words: tuple[str, ...]
) -> None:
    assert services[service]["command"] == ["celery", "--app=evaluation.config.celery", "--quiet", *words]
    assert import_module("evaluation.config.celery").app is app


@pytest.mark.parametrize(("part", "words"), site_parts.CELERY_PARTS.items())
def test_systemd_units_run_what_the_process_tree_runs(part: str, words: tuple[str, ...]) -> None:
    text = (ROOT / f"docker/systemd/trackside-{part}.service").read_text().replace("%%", "%")
    program = "ExecStart=/srv/trackside/.venv/bin/celery --app=evaluation.config.celery --quiet"
    assert f"{program} {' '.join(words)}\n" in text
    assert ("judges.env" in text) == (part in ("judges", "trials")), (
        "only these have the keys of model endpoints"
    )


@pytest.mark.parametrize(("part", "niceness"), site_parts.NICENESS.items())
def test_parts_yield_to_the_web_in_services_and_units_as_in_the_process_tree(
    services: dict[str, Any], part: str, niceness: int
) -> None:
    share = 1 / 1.25**niceness  # Linux: of a core, to a process of niceness 0
    unit = (ROOT / f"docker/systemd/trackside-{part}.service").read_text()
    found = re.search(r"^CPUWeight=(\d+)$", unit, re.MULTILINE)
    assert int(found[1] if found else 100) == round(100 * share)
    assert services[part].get("cpu_shares", 1024) == round(1024 * share)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_no_fault_in_the_units(tmp_path: Path) -> None:
    for unit in (ROOT / "docker/systemd").iterdir():
        text = re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(re.sub(r"User=\S+", "User=root", text))
    command = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, [line for line in done.stderr.splitlines() if "trackside" in line]) == (0, [])


def test_every_routed_queue_has_a_worker(services: dict[str, Any]) -> None:
    words = [word for name in ("worker", "long", "judges", "trials") for word in services[name]["command"]]
    served = {queue for word in words if word.startswith("--queues=") for queue in word[9:].split(",")}
    routed = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert routed | {settings.CELERY_TASK_DEFAULT_QUEUE} == served


def test_web_serves_our_application_with_our_settings(
    services: dict[str, Any], stages: dict[str, list[str]]
) -> None:
    command = services["web"]["command"]
    assert command[0] == "gunicorn"
    worker = import_module(command[1].removeprefix("--config=python:")).worker_class
    assert issubclass(import_string(worker), ThreadWorker)
    assert f"{command[-1]}.application" == settings.WSGI_APPLICATION
    (in_image,) = [line for line in stages["cpu"] if line.startswith("CMD")]
    assert yaml.safe_load(in_image.removeprefix("CMD")) == command


def test_services_are_given_every_setting(services: dict[str, Any]) -> None:
    """TRACKSIDE_VAR is the image's; only `setup` has the owner of the tables."""
    known = set(read_env_file(ROOT / ".env.example")) - {"TRACKSIDE_VAR", "DATABASE_OWNER_URL"}
    for name in SITE_SERVICES:
        environment = services[name]["environment"]
        assert set(environment) - {"DATABASE_OWNER_URL"} == known
        passed = {
            key: value for key, value in environment.items() if key not in ("BEHIND_PROXY", "SECRET_KEY")
        }
        assert all(f"${{{key}:" in value for key, value in passed.items())
        assert environment["SECRET_KEY"].startswith("${SECRET_KEY?")


def test_only_workers_with_models_have_the_keys_of_model_endpoints(services: dict[str, Any]) -> None:
    having = {name for name, service in services.items() if "env_file" in service}
    assert having == {"judges", "trials"}
    for name in having:
        assert services[name]["env_file"] == [{"path": "judges.env", "required": False}]


def test_only_setup_has_the_database_owners_password(services: dict[str, Any]) -> None:
    owner, web = (
        f"${{{setting}:-postgresql://{role}:${{{password}?choose one}}@database:5432/trackside}}"
        for setting, role, password in (
            ("DATABASE_OWNER_URL", EMBEDDED_NAME, "POSTGRES_PASSWORD"),
            ("DATABASE_URL", EMBEDDED_WEB, "WEB_PASSWORD"),
        )
    )
    for name in SITE_SERVICES:
        environment = services[name]["environment"]
        assert environment["DATABASE_URL"] == web
        assert environment.get("DATABASE_OWNER_URL") == (owner if name == "setup" else None)
        assert ("POSTGRES_PASSWORD" in str(environment)) == (name == "setup")


def test_every_lasting_service_has_a_health_check(
    services: dict[str, Any], stages: dict[str, list[str]]
) -> None:
    assert any(line.startswith("HEALTHCHECK") and "/health" in line for line in stages["base"])
    for name in set(services) - {"setup", "web"}:
        assert services[name]["healthcheck"]["test"]
    assert "healthcheck" not in services["web"], "the image's own"
    # While PostgreSQL's image creates the database, its server listens on a socket alone.
    assert "--host=127.0.0.1" in services["database"]["healthcheck"]["test"]


def test_services_wait_for_what_they_need(services: dict[str, Any]) -> None:
    assert set(services["setup"]["depends_on"]) == {"database", "queue"}
    for name in SITE_SERVICES - {"setup"}:
        assert services[name]["depends_on"] == {"setup": {"condition": "service_completed_successfully"}}


def test_only_the_proxy_publishes_a_port_and_it_forwards_to_web(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    text = (ROOT / "docker/nginx.conf").read_text()
    (port,) = services["web"]["expose"]
    assert f"server web:{port};" in text
    assert services["proxy"]["ports"] == ["127.0.0.1:8000:8080"]
    assert "listen 8080 " in text


def test_proxy_takes_as_large_bodies_as_the_site_and_leaves_compression_to_it(
    services: dict[str, Any],
) -> None:
    text = (ROOT / "docker/nginx.conf").read_text()
    limits = [int(found) * 2**20 for found in re.findall(r"client_max_body_size (\d+)m;", text)]
    assert limits == [settings.MAX_UPLOAD_BYTES + 2**20, settings.MAX_IMPORT_BYTES + 2**20]
    # Lengths of pages that nginx compresses would reveal text beside reflected input.
    assert "    gzip off;" in text
    assert "evaluation.platform.web.middleware.PageCompression" in settings.MIDDLEWARE


@pytest.mark.parametrize("service", sorted(SITE_SERVICES - {"setup"}))
def test_services_have_as_long_to_stop_as_units_and_a_process_that_reaps(
    services: dict[str, Any], service: str
) -> None:
    unit = (ROOT / f"docker/systemd/trackside-{service}.service").read_text()
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert services[service]["stop_grace_period"] == f"{seconds}s"
    assert services[service]["init"] is True, "orphans of killed processes would stay as zombies"


def test_secrets_replace_every_password_that_compose_asks_for(services: dict[str, Any]) -> None:
    override = yaml.safe_load((ROOT / "docker/secrets.yml").read_text())
    assert set(override["services"]) == SITE_SERVICES | {"database"}
    for name, service in override["services"].items():
        files = {key: value for key, value in service["environment"].items() if key.endswith("_FILE")}
        assert {f"/run/secrets/{secret}" for secret in service["secrets"]} == set(files.values())
        asked = {key for key, value in services[name]["environment"].items() if "?choose" in value}
        assert {key.removesuffix("_FILE") for key in files} == asked
        # DATABASE_URL of compose.yml has a default, which would win over the file.
        for key in asked & {"DATABASE_URL", "DATABASE_OWNER_URL"}:
            assert service["environment"][key] == ""
    used = {secret for service in override["services"].values() for secret in service["secrets"]}
    assert override["secrets"] == {secret: {"file": f"secrets/{secret}"} for secret in used}


def test_gpu_goes_to_the_workers_with_models(services: dict[str, Any]) -> None:
    override = yaml.safe_load((ROOT / "docker/gpu.yml").read_text())
    assert set(override["services"]) == {"judges", "trials"}
    assert override["services"]["judges"]["deploy"] == services["vllm"]["deploy"]


@pytest.mark.parametrize(
    ("request_head", "is_small"),
    [
        ("HTTP/1.1::", True),  # without a length and chunks there is no body
        ("HTTP/1.1:65535:", True),
        ("HTTP/2.0:65536:", True),
        ("HTTP/1.1:65537:", False),
        ("HTTP/1.1::chunked", False),
        ("HTTP/2.0::", False),  # a body of any length may follow
        ("HTTP/3.0::", False),
    ],
)
def test_proxy_asks_the_site_about_a_body_unless_it_is_known_to_be_small(
    request_head: str, is_small: bool
) -> None:
    text = (ROOT / "docker/nginx.conf").read_text()
    entries = text.partition("$has_small_body {\n")[2].partition("\n    }\n")[0]
    patterns = re.findall(r'"~(.+)" yes;', entries)
    assert len(patterns) == 2
    assert any(re.search(pattern, request_head) for pattern in patterns) == is_small

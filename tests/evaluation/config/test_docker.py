"""The container files agree with settings, process tree and Makefile; nobody has built them here."""

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.utils.module_loading import import_string
from gunicorn.workers.gthread import ThreadWorker
from packaging.specifiers import SpecifierSet

from evaluation.config.celery import app
from evaluation.config.environment import read_env_file
from evaluation.hosting import site_parts
from evaluation.hosting.addresses import EMBEDDED_NAME, EMBEDDED_WEB
from evaluation.hosting.servers.binaries import POSTGRES_MAJOR

ROOT = Path(settings.ROOT)
SITE_SERVICES = {"setup", "web", "worker", "long", "judges", "beat"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "docker/compose.yml").read_text())
    return content


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = compose["services"]
    return found


@pytest.fixture(scope="module")
def stages() -> dict[str, list[str]]:
    """The instructions of each stage of the Dockerfile, those of the stages below included."""
    text = (ROOT / "docker/Dockerfile").read_text().replace("\\\n", " ")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if start := re.match(r"FROM (\S+) AS (\w+)", line):
            name = start[2]
            found[name] = [*found.get(start[1], []), line]
        elif line and not line.startswith("#"):
            found[name].append(line)
    return found


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return content


def test_compose_has_every_part_of_a_site(services: dict[str, Any]) -> None:
    assert set(services) == SITE_SERVICES | {"proxy", "database", "queue", "vllm"}
    assert services["vllm"]["profiles"] == ["vllm"], "started only when asked for"


@pytest.mark.parametrize(
    ("service", "words"),
    [
        ("worker", site_parts.WORKER),
        ("long", site_parts.LONG),
        ("judges", site_parts.JUDGES),
        ("beat", (*site_parts.BEAT, "--enable-remote-control")),
    ],
)
def test_celery_services_run_what_the_process_tree_runs(
    services: dict[str, Any], service: str, words: tuple[str, ...]
) -> None:
    assert services[service]["command"] == ["celery", "--app=evaluation.config.celery", "--quiet", *words]
    assert import_module("evaluation.config.celery").app is app


def test_every_routed_queue_has_a_worker(services: dict[str, Any]) -> None:
    words = [word for name in ("worker", "long", "judges") for word in services[name]["command"]]
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


def test_services_are_given_only_settings_that_exist(services: dict[str, Any]) -> None:
    known = set(read_env_file(ROOT / ".env.example"))
    for name in SITE_SERVICES:
        assert set(services[name]["environment"]) <= known
    assert {"DATABASE_URL", "BROKER_URL", "SECRET_KEY", "SITE_URL"} <= set(services["web"]["environment"])


def test_only_setup_has_the_database_owners_password(services: dict[str, Any]) -> None:
    owner, web = (
        f"postgresql://{role}:${{{password}:?choose one}}@database:5432/trackside"
        for role, password in ((EMBEDDED_NAME, "POSTGRES_PASSWORD"), (EMBEDDED_WEB, "WEB_PASSWORD"))
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


def test_services_wait_for_what_they_need(services: dict[str, Any]) -> None:
    assert set(services["setup"]["depends_on"]) == {"database", "queue"}
    for name in SITE_SERVICES - {"setup"}:
        assert services[name]["depends_on"] == {"setup": {"condition": "service_completed_successfully"}}


def test_proxy_alone_faces_the_world_and_talks_to_web(services: dict[str, Any]) -> None:
    assert {name for name, service in services.items() if "ports" in service} == {"proxy"}
    text = (ROOT / "docker/nginx.conf").read_text()
    (port,) = services["web"]["expose"]
    assert f"server web:{port};" in text
    assert services["proxy"]["ports"] == ["127.0.0.1:8000:8080"]
    assert "listen 8080 " in text


def test_proxy_takes_as_large_bodies_as_the_site(services: dict[str, Any]) -> None:
    text = (ROOT / "docker/nginx.conf").read_text()
    limits = [int(found) * 2**20 for found in re.findall(r"client_max_body_size (\d+)m;", text)]
    assert limits == [settings.MAX_UPLOAD_BYTES + 2**20, settings.MAX_IMPORT_BYTES + 2**20]


def test_database_is_of_the_version_that_the_backup_tools_match(services: dict[str, Any]) -> None:
    assert services["database"]["image"] == f"postgres:{POSTGRES_MAJOR}"


def test_named_volumes_are_declared(compose: dict[str, Any], services: dict[str, Any]) -> None:
    used = {
        volume.partition(":")[0] for service in services.values() for volume in service.get("volumes", [])
    }
    assert used - {"./nginx.conf", "./database"} == set(compose["volumes"])
    assert f"site:{image_var()}" in services["web"]["volumes"]


def image_var() -> str:
    found = re.search(r"TRACKSIDE_VAR=(\S+)", (ROOT / "docker/Dockerfile").read_text())
    assert found
    return found[1]


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_image_runs_as_an_ordinary_user(stages: dict[str, list[str]], target: str) -> None:
    assert stages[target][-1] == "USER trackside"
    assert any("useradd" in line and "--uid 10001" in line for line in stages[target])


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_image_installs_our_versions_and_extras(
    stages: dict[str, list[str]], project: dict[str, Any], target: str
) -> None:
    installs = [shlex.split(line)[2:] for line in stages[target] if line.startswith("RUN pip")]
    assert all("constraints.txt" in words for words in installs)
    (extras,) = re.findall(r"\[(.+)\]", installs[-1][-1])
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert set(extras.split(",")) == {"site", "models", "s3"}


def test_image_has_a_python_that_the_project_allows(
    stages: dict[str, list[str]], project: dict[str, Any]
) -> None:
    found = re.search(r"python:(\d+\.\d+)", stages["base"][0])
    assert found
    assert found[1] in SpecifierSet(project["requires-python"])


def test_cpu_image_and_makefile_look_for_torch_in_one_place(stages: dict[str, list[str]]) -> None:
    found = re.search(r"TORCH_INDEX \?= (\S+)", (ROOT / "Makefile").read_text())
    assert found
    assert any(f"--extra-index-url {found[1]} torch" in line for line in stages["cpu"])
    assert not any(found[1] in line for line in stages["cuda"])


def test_image_is_given_everything_that_runs() -> None:
    ignore = (ROOT / "docker/Dockerfile.dockerignore").read_text().splitlines()
    given = {line.removeprefix("!") for line in ignore if line.startswith("!")}
    assert {
        "manage.py",
        "pyproject.toml",
        "constraints.txt",
        "evaluation",
        "assessment",
        "judges",
        "trackside",
    } <= given
    assert {name for name in given if not (ROOT / name).exists()} == set()


def test_torch_is_pinned_without_a_build() -> None:
    """`torch==2.13.0` takes a CPU wheel (2.13.0+cpu) where one is offered, and the plain one elsewhere."""
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    (torch,) = [pin for pin in pins if pin.startswith("torch==")]
    assert "+" not in torch
    assert not [pin for pin in pins if pin.startswith("nvidia")]

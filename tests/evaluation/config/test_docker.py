"""The container files agree with settings, process tree and Makefile; tests do not build images."""

import re
import shlex
import shutil
import subprocess
import sys
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
SITE_SERVICES = {"setup", "web", "worker", "long", "judges", "trials", "beat"}


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
        assert all(f"${{{key}:" in value for key, value in environment.items() if key != "BEHIND_PROXY")


def test_only_workers_with_models_have_the_keys_of_model_endpoints(services: dict[str, Any]) -> None:
    having = {name for name, service in services.items() if "env_file" in service}
    assert having == {"judges", "trials"}
    for name in having:
        assert services[name]["env_file"] == [{"path": "judges.env", "required": False}]


def test_only_setup_has_the_database_owners_password(services: dict[str, Any]) -> None:
    owner, web = (
        f"${{{setting}:-postgresql://{role}:${{{password}:?choose one}}@database:5432/trackside}}"
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


def test_proxy_takes_as_large_bodies_as_the_site(services: dict[str, Any]) -> None:
    text = (ROOT / "docker/nginx.conf").read_text()
    limits = [int(found) * 2**20 for found in re.findall(r"client_max_body_size (\d+)m;", text)]
    assert limits == [settings.MAX_UPLOAD_BYTES + 2**20, settings.MAX_IMPORT_BYTES + 2**20]


def test_proxy_leaves_compression_to_the_site() -> None:
    """Lengths of pages that nginx compresses would reveal text beside reflected input."""
    assert "    gzip off;" in (ROOT / "docker/nginx.conf").read_text()
    assert "evaluation.config.requests.compression.PageCompression" in settings.MIDDLEWARE


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
    assert any(line.startswith(f"ARG TORCH_INDEX={found[1]} ") for line in stages["cpu"])
    (install,) = [line for line in stages["cpu"] if line.endswith(" torch")]
    assert '--index-url "$TORCH_INDEX"' in install
    assert "--extra-index-url" not in install, "an index that is missing must fail the build"
    assert not any(found[1] in line for line in stages["cuda"])


@pytest.mark.parametrize(
    ("cuda", "wanted", "is_refused"),
    [
        (None, "refused", False),
        ("12.8", "refused", True),
        ("12.8", "allowed", False),
        ("12.8", "needed", False),
        (None, "needed", True),
    ],
)
def test_image_names_which_torch_it_has_and_refuses_the_wrong_one(
    tmp_path: Path, cuda: str | None, wanted: str, is_refused: bool
) -> None:
    (tmp_path / "torch.py").write_text(
        f"class version:\n    cuda = {cuda!r}\n__version__ = '2.13.0'\n", encoding="utf-8"
    )
    command = [sys.executable, str(ROOT / "docker/torch_build.py"), wanted]
    done = subprocess.run(
        command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.stdout == f"torch 2.13.0, CUDA {cuda or 'none'}\n"
    assert (done.returncode != 0) == is_refused, done.stderr


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

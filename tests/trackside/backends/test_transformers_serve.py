"""The backend for OpenAI's protocol with an endpoint of `transformers serve`, unchanged."""

import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.slow_clients import free_port
from tests.judges.pictures import file_of, picture
from tests.judges.tiny_llava import save_tiny_llava
from tests.trackside.backends.generators import responses, settings_of
from trackside.backends.llava import Llava
from trackside.backends.openai_chat import OpenAIChat
from trackside.judging.asking import Ask

pytestmark = pytest.mark.long  # the server imports for ten seconds

START_SECONDS = 120.0
DECODING = {"max_tokens": 12}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LLaVA with random weights: its answers differ between images and texts."""
    return save_tiny_llava(tmp_path_factory.mktemp("models") / "random")


@pytest.fixture(scope="module")
def endpoint(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The base URL of a server that holds the model."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("transformers")), "serve", str(model)]
    # The server reads the folder of the hub's cache when it starts, so it must exist.
    environment = os.environ | {"HF_HOME": str(tmp_path_factory.mktemp("hub")), "HF_HUB_OFFLINE": "1"}
    server = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", server)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait()


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        assert server.poll() is None, "the server ended by itself"
        assert time.monotonic() < deadline, "the server does not answer"
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            time.sleep(0.2)


def test_served_model_answers_as_in_process(model: Path, endpoint: str) -> None:
    some = [
        Ask(f"ts-{place:032x}", (file_of(picture(place), "PNG"), "words " * (place + 1)))
        for place in range(4)
    ]
    # The server reads the folder itself: its model's name is the path, which has no date.
    served = settings_of(
        model,
        backend="openai_chat",
        model_revision="random-1",
        endpoint=endpoint,
        decoding=DECODING,
    )

    answers = responses(OpenAIChat(OpenAIChat.pinned(served)), some)

    expected = responses(Llava(Llava.pinned(settings_of(model, decoding=DECODING))), some)
    assert {name: response.text for name, response in answers.items()} == {
        name: response.text for name, response in expected.items()
    }
    assert [response.reading for response in answers.values()] != []
    assert len({response.text for response in answers.values()}) > 1

"""Workers of `make test` import no heavy packages while they collect tests."""

import subprocess
import sys

import pytest
from django.conf import settings

COLLECT = """
import sys, pytest
code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider", "-m", "not long and not whole"])
heavy = {"bm25s", "libcst", "moto", "schemathesis", "torch", "transformers"}
print(int(code), *sorted(heavy & set(sys.modules)))
"""


@pytest.mark.whole
def test_quick_tests_are_collected_without_heavy_packages() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COLLECT], cwd=settings.ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0", done.stdout[-2000:]

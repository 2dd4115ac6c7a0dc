"""Expect an error by its code."""

import pytest

from trackside.errors import InputError


def refused(code: str, *, match: str | None = None) -> pytest.RaisesExc[InputError]:
    """Expect an InputError with this code in the block."""
    return pytest.raises(InputError, match=match, check=lambda error: error.code == code)

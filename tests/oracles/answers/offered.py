"""Values for a case that may name only some of them."""

from typing import Any


class Offered(dict[str, Any]):
    """Values by name: values that the case does not name are ignored, unlike in a plain dict."""

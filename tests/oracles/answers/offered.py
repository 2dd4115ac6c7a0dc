"""Values of which a case may name only a part."""

from typing import Any


class Offered(dict[str, Any]):
    """Values by name: values that the case does not name are ignored, unlike in a plain dict."""

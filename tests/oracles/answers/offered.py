"""Values of which a case may ask for a part."""

from typing import Any


class Offered(dict[str, Any]):
    """Values by name: those that the case does not expect are no difference, unlike in a plain dict."""

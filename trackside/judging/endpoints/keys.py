"""API keys of endpoints: one environment variable for each scheme, host and port."""

import ipaddress
import re
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from trackside.judging.asking import EndpointDown

NO_KEY = "none"  # sent to servers that need no key
HTTP_HOSTS = "JUDGE_HTTP_HOSTS"  # blank-separated hosts that may be sent keys without TLS
DEFAULT_PORTS = {"https": 443, "http": 80}
# Only letters and digits surround dots, hyphens and single underscores, and no name ends in a number. So each
# host has its own variable: a dot gives one underscore, a hyphen two, an underscore three.
HOST_NAME = re.compile(r"[a-z0-9]+(?:(?:-+|[._])[a-z0-9]+)*")
ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?[0-9]+")
LETTERS = {".": "_", "-": "__", "_": "___"}


class EndpointRefused(EndpointDown):
    """The address would send a key unencrypted, or to a server that the key is not meant for."""


def key_variable(endpoint: str) -> str:
    """Return the environment variable with the key of an endpoint's scheme, host and port.

    OPENAI_API_KEY for https://api.openai.com. Others have JUDGE_KEY_ and the host, then _PORT_ and the port
    if it is not 443, or _HTTP_ and the port without TLS: JUDGE_KEY_GPU1_HTTP_8000 for http://gpu1:8000/v1.
    Raises EndpointRefused for a host whose variable would be ambiguous.
    """
    parts = urlsplit(endpoint)
    host = parts.hostname or ""
    try:
        port = parts.port or DEFAULT_PORTS.get(parts.scheme, 0)
    except ValueError as error:
        raise EndpointRefused(f"{_origin(parts)}: a port is a number from 1 to 65535.") from error
    if (parts.scheme, host, port) == ("https", "api.openai.com", 443):
        return "OPENAI_API_KEY"
    word = "HTTP" if parts.scheme == "http" else "PORT"
    suffix = "" if (parts.scheme, port) == ("https", 443) else f"_{word}_{port}"
    return f"JUDGE_KEY_{_host_word(host)}{suffix}"


def endpoint_key(endpoint: str, environment: Mapping[str, str]) -> str:
    """Return the endpoint's key, or NO_KEY if the environment has none.

    Without TLS a key is sent only to this machine and to the hosts in JUDGE_HTTP_HOSTS; other hosts on the
    public internet are sent nothing at all. Raises EndpointRefused.
    """
    variable, parts = key_variable(endpoint), urlsplit(endpoint)
    key = environment.get(variable)
    # The variable of earlier releases, without scheme and port: several hosts could share one.
    old = "JUDGE_KEY_" + re.sub(r"[^A-Z0-9]", "_", (parts.hostname or "").upper())
    if key is None and old != variable and environment.get(old):
        raise EndpointRefused(
            f"{_origin(parts)} reads its key from {variable}, and only {old} is set. "
            f'Set {variable}: to the key if it is for this server, else to "{NO_KEY}".'
        )
    host = parts.hostname or ""
    is_trusted = _is_loopback(host) or host in environment.get(HTTP_HOSTS, "").lower().split()
    has_key = key not in (None, "", NO_KEY)
    if parts.scheme == "http" and not is_trusted and (has_key or not _is_private(host)):
        raise EndpointRefused(
            f"{_origin(parts)} has no TLS, so others on the network can read keys and images. Use https, "
            f"or add {host} to {HTTP_HOSTS} if you trust the network."
        )
    return key or NO_KEY


def is_public(endpoints: str) -> bool:
    """Return whether any of the blank-separated endpoints is on the public internet."""
    hosts = [urlsplit(url).hostname or "" for url in endpoints.split()]
    return any(not (_is_loopback(host) or _is_private(host)) for host in hosts)


def _is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _is_private(host: str) -> bool:
    """Return whether the host is in a private network: by its address, or by a name without a dot."""
    address = _address(host)
    return address.is_private if address else "." not in host


def _host_word(host: str) -> str:
    address = _address(host)
    if isinstance(address, ipaddress.IPv6Address):
        return f"V6_{int(address):032X}"
    if not HOST_NAME.fullmatch(host) or (address is None and ENDS_IN_NUMBER.fullmatch(host)):
        raise EndpointRefused(f'"{host}" is not a host name. Write the endpoint as https://host/v1.')
    return "".join(LETTERS.get(letter, letter) for letter in host).upper()


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _origin(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"

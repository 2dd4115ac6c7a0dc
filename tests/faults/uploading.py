"""Uploads as a browser sends them, whole or cut off in the middle."""

import http.client
import re
import socket
import uuid
from dataclasses import dataclass

CSRF = "f" * 32
RUN_PAGE = re.compile(r"/runs/(\d+)/$")


@dataclass(frozen=True)
class Sender:
    """A signed-in person (by cookie) who uploads for a team to one URL of a site."""

    port: int
    cookie: str
    address: str
    team: int

    def request(self, content: bytes, *, name: str) -> bytes:
        """The bytes of the whole request."""
        edge = uuid.uuid4().hex
        fields = {"csrfmiddlewaretoken": CSRF, "team": str(self.team), "description": ""}
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in fields.items()
        ]
        parts.append(
            f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: text/plain\r\n\r\n"
        )
        body = "".join(parts).encode() + content + f"\r\n--{edge}--\r\n".encode()
        head = [
            f"POST {self.address} HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Cookie: {self.cookie}; csrftoken={CSRF}",
            f"Content-Type: multipart/form-data; boundary={edge}",
            f"Content-Length: {len(body)}",
            "Connection: close",
        ]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + body

    def connect(self) -> socket.socket:
        """A connection for one request."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=120)

    def send(self, content: bytes, *, name: str) -> int | None:
        """Upload, and return the run's number, or None if the site stored none."""
        with self.connect() as connection:
            connection.sendall(self.request(content, name=name))
            return run_of(connection)

    def get(self, address: str, **headers: str) -> int:
        """Status of a page, read to its end."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request("GET", address, headers={"Cookie": self.cookie, **headers})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


def run_of(connection: socket.socket) -> int | None:
    """The run in the answer's redirect; None without a redirect or an answer."""
    answer = http.client.HTTPResponse(connection)
    try:
        answer.begin()
    except (OSError, http.client.HTTPException):
        return None
    found = RUN_PAGE.search(answer.headers.get("Location", ""))
    return int(found[1]) if answer.status == 302 and found else None

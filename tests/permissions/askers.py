"""Clients that ask addresses as every role."""

from dataclasses import dataclass

from django.test import Client

from tests.addresses.urlconf import is_of_api


@dataclass(frozen=True)
class Askers:
    """Signed-in browsers, and programs that send a token to the API, by role."""

    browsers: dict[str, Client]
    programs: dict[str, Client]

    def of(self, role: str, name: str) -> Client:
        """Who asks for the address of that name."""
        return (self.programs if is_of_api(name) else self.browsers)[role]

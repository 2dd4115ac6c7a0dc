"""What a session must know of its account."""

from django.utils.crypto import salted_hmac


class EndsWithTheAddress:
    """Mixin of accounts: a new address ends the account's sessions, as a new password does."""

    password: str
    email: str

    def get_session_auth_hash(self) -> str:
        """Return the hash that sessions store; one with another hash is signed out."""
        return salted_hmac("evaluation.User.session", f"{self.password}\0{self.email}").hexdigest()

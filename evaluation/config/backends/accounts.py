"""django-allauth's authentication backend; a cached SQL statement reads the account of each request."""

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.base_user import AbstractBaseUser

from evaluation.platform.access.people import User


class Accounts(AuthenticationBackend):
    """The accounts of this site."""

    def get_user(self, user_id: int) -> AbstractBaseUser | None:
        """Return the session's account with its memberships; None if it is deleted or inactive."""
        user = User.objects.with_roles(user_id)
        return user if user and self.user_can_authenticate(user) else None

"""Forms by which the site's staff make and change accounts."""

from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm

from evaluation.models import User


class AccountAddForm(AdminUserCreationForm):  # type: ignore[type-arg]  # no subscript at run time
    """A new account, with or without a password."""

    class Meta:
        model = User
        fields = ("email", "name")


class AccountChangeForm(UserChangeForm):  # type: ignore[type-arg]  # no subscript at run time
    """Everything about an account but its password."""

    class Meta:
        model = User
        fields = ("email", "name", "password", "is_active", "is_superuser", "has_reminders")

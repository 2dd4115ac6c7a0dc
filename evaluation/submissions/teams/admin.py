"""Admin of accounts."""

from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db import router
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.platform.access.accounts import AccountAddForm, AccountChangeForm
from evaluation.platform.access.people import User
from evaluation.platform.web.admin import TracksideAdmin
from evaluation.platform.web.admin_lists import LimitedObjects

admin.site.unregister(Group)  # permissions depend only on memberships
# Owners manage addresses, second factors and linked accounts on the account page.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(User)
class AccountAdmin(TracksideAdmin, UserAdmin):  # type: ignore[type-arg]
    """Accounts. One with judgments or other work cannot be deleted, only switched off."""

    can = "add change delete"
    fixed_fields = ("email",)  # only the owner changes it, and verifies the new address
    form = AccountChangeForm
    add_form = AccountAddForm
    list_display = ("email", "name", "is_active", "is_superuser", "joined_at")
    list_filter = ("is_active", "is_superuser")
    search_fields = ("email", "name")
    ordering = ("email",)
    actions = ("switch_second_factors_off",)
    filter_horizontal = ()
    readonly_fields = ("joined_at", "last_login")
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        ("State", {"fields": ("is_active", "is_superuser", "joined_at", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "usable_password", "password1", "password2")}),)

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Sequence[Any], request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[Any], list[Any]]:
        """List what a deletion cascades to; what forbids it is counted, not read, if there is much."""
        collector = LimitedObjects(using=router.db_for_write(User))
        collector.collect(objs)
        if collector.uncollected:
            return [str(account) for account in objs], {}, set(), collector.uncollected
        return super().get_deleted_objects(objs, request)

    @admin.action(description="Switch the second factor off")
    def switch_second_factors_off(self, request: HttpRequest, accounts: QuerySet[User]) -> None:
        """Remove the second factor of people who lost both the phone and the recovery codes."""
        Authenticator.objects.filter(user__in=accounts).delete()
        self.message_user(request, "These accounts now need only the password.", messages.SUCCESS)

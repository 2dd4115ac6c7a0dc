"""Admin of accounts, memberships, teams and invitations."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

from evaluation.access.accounts import AccountAddForm, AccountChangeForm
from evaluation.access.people import Membership, User
from evaluation.teams.forms import MembershipForm
from evaluation.teams.models import Invitation, Team
from evaluation.teams.registration import Application, EntryRules, Signature
from evaluation.web.admin.base import TracksideAdmin, register_table

admin.site.unregister(Group)  # permissions depend only on memberships
# Owners manage addresses, second factors and linked accounts on the account page.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(User)
class AccountAdmin(TracksideAdmin, UserAdmin):  # type: ignore[type-arg]
    """Accounts, for the site's staff. Organizers see the people of their tracks, only in select fields."""

    is_of_staff = True
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

    @admin.action(description="Switch the second factor off")
    def switch_second_factors_off(self, request: HttpRequest, accounts: QuerySet[User]) -> None:
        """Remove the second factor of people who lost both the phone and the recovery codes."""
        Authenticator.objects.filter(user__in=accounts).delete()
        self.message_user(request, "These accounts now need only the password.", messages.SUCCESS)


@admin.register(Membership)
class MembershipAdmin(TracksideAdmin):
    """Roles of people in tracks."""

    track_path = "track"
    form = MembershipForm
    list_display = ("user", "role", "team", "track", "created_at")
    list_filter = ("role", ("track", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user", "team", "track")
    search_fields = ("user__email", "user__name", "team__name")
    ordering = ("track", "role", "user__email")


register_table(
    Team,
    "name track is_baseline created_at",
    can="add change delete",
    track_path="track",
    search="name",
    fixed="track",
)


@admin.register(Invitation)
class InvitationAdmin(TracksideAdmin):
    """Mailed links, sent from the track's page. Open ones can be deleted, accepted ones are records."""

    can = "delete"
    track_path = "track"
    list_display = ("email", "role", "track", "invited_by", "invited_at", "expires_at", "accepted_at")
    list_filter = ("role", ("track", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("track", "invited_by")
    search_fields = ("email",)
    exclude = ("token_sha256",)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Whether the person may delete the invitation, or any if None."""
        is_open = obj is None or obj.accepted_at is None
        return is_open and super().has_delete_permission(request, obj)


register_table(
    EntryRules,
    "track needs_approval",
    can="add change delete",
    track_path="track",
    fixed="track",
    list_filter=(),
)


register_table(
    Application,
    "team state applied_at applied_by decided_at decided_by",
    track_path="team__track",
    search="team__name",
)


register_table(
    Signature, "team signed_at signed_by agreement_sha256", track_path="team__track", search="team__name"
)

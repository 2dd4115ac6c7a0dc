"""Admin of accounts, memberships, teams and invitations."""

from __future__ import annotations

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
from evaluation.access.people import Invitation, Membership, User
from evaluation.teams.forms import MembershipForm
from evaluation.teams.models import Team
from evaluation.teams.registration import Application, EntryRules, Signature
from evaluation.web.admin.base import ReadOnlyAdmin, TracksideAdmin, register_read_only

admin.site.unregister(Group)  # permissions depend only on memberships
# Owners manage addresses, second factors and linked accounts on the account page.
for model in (EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken):
    admin.site.unregister(model)


@admin.register(User)
class AccountAdmin(TracksideAdmin, UserAdmin):  # type: ignore[type-arg]
    """Accounts, for the site's staff. Organizers see the people of their tracks, only in select fields."""

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

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show the list only to the site's staff."""
        return request.user.is_active and request.user.is_superuser


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


@admin.register(Team)
class TeamAdmin(TracksideAdmin):
    """Teams that submit runs."""

    track_path = "track"
    fixed_fields = ("track",)
    list_display = ("name", "track", "is_baseline", "created_at")
    list_filter = ("is_baseline", ("track", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("track",)
    search_fields = ("name",)


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Mailed links; they are sent from the track's page."""

    track_path = "track"
    list_display = ("email", "role", "track", "invited_by", "invited_at", "expires_at", "accepted_at")
    list_filter = ("role", ("track", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("track", "invited_by")
    search_fields = ("email",)
    exclude = ("token_sha256",)

    def has_delete_permission(self, request: HttpRequest, obj: Any | None = None) -> bool:
        """Allow deletion of open invitations; accepted ones are records."""
        return self._is_theirs(request, obj) and (obj is None or obj.accepted_at is None)


@admin.register(EntryRules)
class EntryRulesAdmin(TracksideAdmin):
    """Requirements of tracks for uploads of teams."""

    track_path = "track"
    fixed_fields = ("track",)
    list_display = ("track", "needs_approval")
    list_select_related = ("track",)


register_read_only(
    Application,
    "team state applied_at applied_by decided_at decided_by",
    track_path="team__track",
    search="team__name",
)


register_read_only(
    Signature, "team signed_at signed_by agreement_sha256", track_path="team__track", search="team__name"
)

"""People, and what they may do in a track.

Permission is a queryset: each model has ``visible_to(user)``. The rules rest on three memberships of a track:
organizer, assessor, and member or owner of a team.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pgtrigger
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models, transaction
from django.db.models import OuterRef, Q
from django.db.models.functions import JSONArray, Lower, Now
from django.utils.functional import cached_property

from evaluation.models.kept import Given, kept
from evaluation.models.tracking import tracked


class UserManager(BaseUserManager["User"]):
    """Makes accounts; the e-mail address is the name one signs in with."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Store an account. Without a password nobody can sign in to it until one is set by link."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_verified(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Store an account whose address needs no code: its link came by mail, or somebody vouches for it."""
        from allauth.account.models import EmailAddress  # knows the user model, so comes after it

        with transaction.atomic():
            user = self.create_user(email, password, **fields)
            EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Store an account of the site's staff, who see every track."""
        return self.create_verified(email, password, is_superuser=True, **fields)

    def visible_to(self, user: User | AnonymousUser) -> models.QuerySet[User]:
        """Oneself, and the members of the tracks that one organizes; the site's staff see everybody."""
        if user.is_superuser:
            return self.all()
        members = Membership.objects.visible_to(user)
        return self.filter(Q(pk=user.pk) | Q(pk__in=members.values("user")))

    def with_roles(self, pk: int) -> User | None:
        """The account with its memberships at this moment, as every request of its session asks for it."""
        found = _accounts().first(user=pk)
        if found is None:
            return None
        *values, roles = found
        user = self.model.from_db(self.db, _columns(), values)
        user.roles = [(role, track, team) for role, track, team in roles]
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Find the account by e-mail address, whatever its capitals."""
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. ``is_superuser`` marks the site's staff."""

    email = models.EmailField("e-mail address", max_length=254, unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    has_reminders = models.BooleanField(
        "reminders",
        default=True,
        help_text="Mails when a task closes soon and when it is released.",
    )
    joined_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique")]

    def __str__(self) -> str:
        return self.name or self.email

    @cached_property
    def is_staff(self) -> bool:
        """Whether Django's own admin checks let this person in; the querysets decide what they see there."""
        # The admin asks once or more for each model; the answer holds for as long as the object, a request.
        return self.is_superuser or bool(tracks_of(self, Role.ORGANIZER))

    @property
    def has_verified_address(self) -> bool:
        """Whether the address is known to be the person's own."""
        from allauth.account.models import EmailAddress

        return bool(EmailAddress.objects.filter(user=self, verified=True).exists())

    @cached_property
    def roles(self) -> list[tuple[str, int, int | None]]:
        """Role, track and team of each membership, as they were when first asked for.

        Every permission asks, many times a request: read once, they make its statement short.
        """
        return _roles().rows(user=self.pk)


@dataclass(frozen=True)
class Standing:
    """All of a person that permission asks for, but who it is: what a kept statement is kept by."""

    is_superuser: bool
    roles: tuple[tuple[str, int, int | None], ...]

    @classmethod
    def of(cls, user: User | AnonymousUser) -> Standing:
        """The person's, as their memberships are at this request."""
        if isinstance(user, AnonymousUser):
            return cls(is_superuser=False, roles=())
        return cls(user.is_superuser, tuple(user.roles))

    def anybody(self) -> User:
        """A person who stands so, for ``visible_to`` and the like; the key is ``Given("user")``."""
        person = User(pk=Given("user"), is_superuser=self.is_superuser)
        person.roles = list(self.roles)
        return person


@kept
def _roles() -> models.QuerySet[Membership, tuple[str, int, int | None]]:
    own = Membership.objects.filter(user=Given("user"))
    return own.order_by("pk").values_list("role", "track", "team")  # one order, so one standing


@kept
def _accounts() -> models.QuerySet[User, tuple[Any, ...]]:
    own = Membership.objects.filter(user=OuterRef("pk")).order_by("pk")
    roles = ArraySubquery(own.values_list(JSONArray("role", "track", "team")))
    return User.objects.filter(pk=Given("user")).values_list(*_columns(), roles)


def _columns() -> list[str]:
    return [field.attname for field in User._meta.concrete_fields]  # noqa: SLF001 - Django's documented way


class Role(models.TextChoices):
    """What a membership lets a person do in one track."""

    ORGANIZER = "organizer", "organizer"
    ASSESSOR = "assessor", "assessor"
    TEAM_OWNER = "team_owner", "team owner"
    TEAM_MEMBER = "team_member", "team member"


TEAM_ROLES = (Role.TEAM_OWNER, Role.TEAM_MEMBER)


def tracks_of(user: User | AnonymousUser, *roles: Role) -> list[int]:
    """Keys of the tracks in which the person has one of the roles, or any role when none is named."""
    if isinstance(user, AnonymousUser):
        return []
    return [track for role, track, _ in user.roles if not roles or role in roles]


def teams_of(user: User | AnonymousUser) -> list[int]:
    """Keys of the teams that the person belongs to."""
    if isinstance(user, AnonymousUser):
        return []
    return [team for _, _, team in user.roles if team is not None]


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Reads of memberships."""

    def of(self, user: User | AnonymousUser) -> MembershipQuerySet:
        """The person's own; none of somebody who is not signed in."""
        return self.none() if user.pk is None else self.filter(user_id=user.pk)

    def visible_to(self, user: User | AnonymousUser) -> MembershipQuerySet:
        """One's own, and all of the tracks that one organizes."""
        from evaluation.models.track import Track

        own = self.model.objects.of(user).values("pk")
        return self.filter(Q(pk__in=own) | Q(track__in=Track.objects.organized_by(user)))


@tracked
class Membership(models.Model):
    """One role of one person in one track; a team's people carry the team."""

    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    track = models.ForeignKey("evaluation.Track", models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role)
    team = models.ForeignKey(
        "evaluation.Team", models.CASCADE, null=True, blank=True, related_name="memberships"
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "track", "role", "team"], nulls_distinct=False, name="membership_once"
            ),
            models.CheckConstraint(
                condition=Q(role__in=TEAM_ROLES, team__isnull=False)
                | (~Q(role__in=TEAM_ROLES) & Q(team__isnull=True)),
                name="membership_team_iff_team_role",
                violation_error_message="Name a team for a team role, and none for an organizer or assessor.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()} of {self.team or self.track}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Reads of invitations."""

    def visible_to(self, user: User | AnonymousUser) -> InvitationQuerySet:
        """Those of the tracks that one organizes."""
        from evaluation.models.track import Track

        return self.filter(track__in=Track.objects.organized_by(user))

    def open(self) -> InvitationQuerySet:
        """Neither taken up nor run out, by the database clock."""
        return self.filter(accepted_at__isnull=True, expires_at__gt=Now())


class Invitation(models.Model):
    """A mailed link that makes its reader a member of the track; only the hash of its token is kept."""

    track = models.ForeignKey("evaluation.Track", models.CASCADE, related_name="invitations")
    email = models.EmailField(max_length=254)
    role = models.CharField(max_length=16, choices=[(Role.ASSESSOR.value, Role.ASSESSOR.label)])
    token_sha256 = models.CharField(max_length=64, unique=True, editable=False)
    invited_by = models.ForeignKey(User, models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(db_default=Now(), editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, editable=False)
    accepted_by = models.ForeignKey(User, models.PROTECT, null=True, editable=False, related_name="+")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True, accepted_by__isnull=True)
                | Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="invitation_accepted_by_someone",
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="accepted_invitation_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__accepted_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.email} as {self.get_role_display()} of {self.track}"

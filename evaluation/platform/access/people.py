"""People, and what they may do in a track.

Permission is a queryset: each model has ``visible_to(user)``. The rules use three kinds of membership in a
track: organizer, assessor, and member or owner of a team.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models, transaction
from django.db.models import OuterRef, Q
from django.db.models.functions import JSONArray, Lower, Now
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy

from evaluation.platform.access.compiled import Given, compiled
from evaluation.platform.access.schema.tracking import tracked, tracked_fields


class UserManager(BaseUserManager["User"]):
    """Manager of accounts; people sign in with their e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account. Without a password nobody can sign in before setting one by a mailed link."""
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_verified(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account with a verified address: its link came by mail, or a command creates it."""
        from allauth.account.models import EmailAddress  # its import needs the user model

        with transaction.atomic():
            user = self.create_user(email, password, **fields)
            EmailAddress.objects.create(user=user, email=user.email.lower(), verified=True, primary=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create an account of the site's staff, who see every track."""
        return self.create_verified(email, password, is_superuser=True, **fields)

    def visible_to(self, user: User | AnonymousUser) -> models.QuerySet[User]:
        """The person, and the members of the tracks that they organize; everybody for the site's staff."""
        if user.is_superuser:
            return self.all()
        members = Membership.objects.visible_to(user)
        return self.filter(Q(pk=user.pk) | Q(pk__in=members.values("user")))

    def with_roles(self, pk: int) -> User | None:
        """Return the account with its current memberships in one query; None if there is none."""
        row = _accounts().first(user=pk)
        if row is None:
            return None
        *values, roles = row
        user = self.model.from_db(self.db, _columns(), values)
        user.roles = [(role, track, team) for role, track, team in roles]
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the account of an e-mail address, ignoring case."""
        return self.get(email__iexact=username)


@tracked_fields("email", "name", "is_active", "is_superuser", model_name="UserEvent")
class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. ``is_superuser`` marks the site's staff.

    ``language`` is the code of a chosen one; empty: pages are in that of the browser, mails in English.
    """

    email = models.EmailField("e-mail address", max_length=254, unique=True)
    name = models.CharField(max_length=120, blank=True)
    is_active = models.BooleanField(default=True)
    has_reminders = models.BooleanField(
        "reminders", default=True, help_text="Send mails when a task closes soon and when it is released."
    )
    language = models.CharField(max_length=10, blank=True, db_default="", editable=False)
    joined_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique")]

    def __str__(self) -> str:
        return self.name or self.email

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the account; a new password revokes its tokens, as Django ends its sessions."""
        # Django sets ``_password`` for a new password until save; a rehash at sign-in is not a new password.
        is_new_password = self.pk is not None and getattr(self, "_password", None) is not None
        with transaction.atomic():
            super().save(*args, **kwargs)
            if is_new_password:
                self.tokens.filter(revoked_at__isnull=True).update(revoked_at=Now())

    def get_session_auth_hash(self) -> str:
        """Return the hash that sessions store: a new address ends them, as a new password does."""
        return salted_hmac("evaluation.User.session", f"{self.password}\0{self.email}").hexdigest()

    @cached_property
    def is_staff(self) -> bool:
        """Whether the person organizes a track or is of the site's staff."""
        return self.is_superuser or bool(tracks_of(self, Role.ORGANIZER))

    @property
    def has_verified_address(self) -> bool:
        """Whether the person has verified the address."""
        from allauth.account.models import EmailAddress  # its import needs the user model

        return bool(EmailAddress.objects.filter(user=self, verified=True).exists())

    @cached_property
    def roles(self) -> list[tuple[str, int, int | None]]:
        """(role, track, team) of each membership, with primary keys; cached at first use.

        Each request checks permissions many times: reading roles once keeps those statements short.
        """
        return _roles().rows(user=self.pk)


@dataclass(frozen=True)
class PermissionKey:
    """Superuser flag and roles of a person: the cache key of permission queries."""

    is_superuser: bool
    roles: tuple[tuple[str, int, int | None], ...]

    @classmethod
    def of(cls, user: User | AnonymousUser) -> PermissionKey:
        """Return the key of the person, by the memberships of this request."""
        if isinstance(user, AnonymousUser):
            return cls(is_superuser=False, roles=())
        return cls(user.is_superuser, tuple(user.roles))

    def anybody(self) -> User:
        """Return a person with these permissions for ``visible_to``; the primary key is ``Given("user")``."""
        person = User(pk=Given("user"), is_superuser=self.is_superuser)
        person.roles = list(self.roles)
        return person


@compiled
def _roles() -> models.QuerySet[Membership, tuple[str, int, int | None]]:
    memberships = Membership.objects.filter(user=Given("user"))
    return memberships.order_by("pk").values_list("role", "track", "team")  # equal roles give equal keys


@compiled
def _accounts() -> models.QuerySet[User, tuple[Any, ...]]:
    memberships = Membership.objects.filter(user=OuterRef("pk")).order_by("pk")
    roles = ArraySubquery(memberships.values_list(JSONArray("role", "track", "team")))
    return User.objects.filter(pk=Given("user")).values_list(*_columns(), roles)


def _columns() -> list[str]:
    return [field.attname for field in User._meta.concrete_fields]  # noqa: SLF001 - Django's documented way


class Role(models.TextChoices):
    """What a membership lets a person do in one track."""

    ORGANIZER = "organizer", gettext_lazy("organizer")
    ASSESSOR = "assessor", gettext_lazy("assessor")
    TEAM_OWNER = "team_owner", gettext_lazy("team owner")
    TEAM_MEMBER = "team_member", gettext_lazy("team member")


TEAM_ROLES = (Role.TEAM_OWNER, Role.TEAM_MEMBER)


def tracks_of(user: User | AnonymousUser, *roles: Role) -> list[int]:
    """Return keys of the tracks in which the person has one of the roles, or any role if none is given."""
    if isinstance(user, AnonymousUser):
        return []
    return [track for role, track, _ in user.roles if not roles or role in roles]


def organizes(user: User | AnonymousUser, track: int) -> bool:
    """Whether the person may change the track of this key; the staff may change every track."""
    return user.is_superuser or track in tracks_of(user, Role.ORGANIZER)


def teams_of(user: User | AnonymousUser) -> list[int]:
    """Return keys of the person's teams."""
    if isinstance(user, AnonymousUser):
        return []
    return [team for _, _, team in user.roles if team is not None]


class MembershipQuerySet(models.QuerySet["Membership"]):
    """Queryset of memberships."""

    def of(self, user: User | AnonymousUser) -> MembershipQuerySet:
        """The person's own memberships; none if not signed in."""
        return self.none() if user.pk is None else self.filter(user_id=user.pk)

    def visible_to(self, user: User | AnonymousUser) -> MembershipQuerySet:
        """The person's own memberships, and all memberships in the tracks that they organize."""
        if user.is_superuser:
            return self
        keys = self.model.objects.of(user).values("pk")
        return self.filter(Q(pk__in=keys) | Q(track__in=tracks_of(user, Role.ORGANIZER)))


@tracked
class Membership(models.Model):
    """One role of one person in one track; team roles name the team."""

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

"""Personal tokens, by owner, for the site's staff; only owners create and revoke them."""

from evaluation.access.tokens import Token
from evaluation.web.admin.base import register_table

register_table(
    Token,
    "user name prefix scopes created_at used_at expires_at revoked_at",
    search="user__email user__name name prefix",
    exclude=("sha256",),
)

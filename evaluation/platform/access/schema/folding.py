"""The SQL function of constraints that the first migration creates."""

from django.db import models
from django.db.models import Func


class Normalized(Func):
    """SQL NORMALIZE to Unicode's form NFKC, which maps ligatures and full-width letters to plain ones.

    It sets the database's default collation: with a column's "C", ``lower`` would fold only ASCII letters.
    """

    function = "NORMALIZE"
    template = '%(function)s((%(expressions)s) COLLATE "default", NFKC)'
    output_field = models.TextField()

"""The admin: setup nouns to edit, the rest to read. Django finds the registrations through this module."""

from evaluation.admin import blob, collection, imports, mail, people, pool, qrels, run, token, track

__all__ = ["blob", "collection", "imports", "mail", "people", "pool", "qrels", "run", "token", "track"]

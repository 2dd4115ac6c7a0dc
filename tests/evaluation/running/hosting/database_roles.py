"""Tables that the site's role cannot change."""

import psycopg

from evaluation.platform.access.changes import event_models

RECORDS = ("assessment_judgment", "evaluation_qrels", "evaluation_qrelspair", "evaluation_poolitem")

EVENTS = sorted(model._meta.db_table for model in event_models().values())


def refused(session: psycopg.Connection[tuple[object, ...]], statement: str) -> bool:
    try:
        session.execute(statement.encode())
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False

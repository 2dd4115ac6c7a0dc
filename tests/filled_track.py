"""A track of any size, filled by a few SQL statements: runs, a pool, assignments and judgments.

The database generates the rows that people create one by one in a real track, so the full size takes a
minute or two, not hours. Triggers are off meanwhile, so their counts are computed at the end.
"""

from dataclasses import dataclass

from django.db import connection, transaction

from evaluation.models import Phase, Task, TaskKind, User
from tests.addresses.urlconf import is_of_api, named_routes
from tests.aggregates_sql import HEADS, recount
from tests.factories import (
    make_assessor,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_topic,
)
from tests.permissions.permission_table import address_rows

OPTIONS = 42  # documents from which each run takes one at each rank: the pool has OPTIONS times its depth
MARKED = 5  # of a thousand judgments this many have a flag; twice as many have no grade


@dataclass(frozen=True)
class Size:
    """How much of everything; judgments are nine tenths of ``topics * OPTIONS * depth * seats``."""

    topics: int
    runs: int
    people: int
    documents: int
    results: int = 1000
    depth: int = 20
    seats: int = 5  # judgments wanted of each item: by the topic's owner and second assessors, or by a crowd
    crowd: int = 0  # people who judge a topic item by item


# These return every row of a kind, in a stream or a page of the API.
FILES = {"judgments_export", "qrels_file", "task_file", "topics_file", "run_file", "run_scores"}
FULL = Size(topics=100, runs=200, people=200, documents=1_000_000)  # 84,000 items and 378,000 judgments
AIMED = Size(topics=100, runs=200, people=200, documents=1_000_000, depth=16)  # 67,200 and 302,400
FEW_PEOPLE = [  # the same number, by fewer assessors
    Size(topics=100, runs=20, people=people, documents=100_000, depth=16) for people in (20, 6)
]
# 200 people judge item by item, each in five topics.
CROWD = Size(topics=100, runs=20, people=200, documents=100_000, depth=16, crowd=10)
TENTH = Size(topics=10, runs=20, people=20, documents=100_000)


@dataclass(frozen=True)
class FilledTrack:
    """The task, its organizer, and values for URL parameters."""

    task: Task
    organizer: User
    values: dict[str, object]


def fill_track(size: Size) -> FilledTrack:
    """Create the track in judging, and compute the triggers' counts."""
    task = make_task(phase=Phase.JUDGING, kind=TaskKind.TEXT_TO_TEXT, pool_depth=size.depth)
    organizer = make_organizer(task.track)
    for number in range(size.topics):
        make_topic(task, number=_topic(number))
    team = make_team(task.track)
    member = make_team_member(team)
    runs = [
        make_run(
            task,
            team if number % 4 else make_team(task.track),
            tag=f"r{number:03d}",
            results={},
            received_by=member,
        )
        for number in range(size.runs)
    ]
    people = [make_assessor(task.track).pk for _ in range(size.people)]
    pool = make_pool(task, pairs=[], runs=runs, created_by=organizer)
    _fill(
        size,
        task=task.pk,
        collection=task.collection_id,
        criteria=task.criteria.get().pk,
        pool=pool.pk,
        organizer=organizer.pk,
        first_run=runs[0].pk,
        people=people,
    )
    qrels = make_qrels(task, name="people", grades={(_topic(0), "doc00000000"): 1})
    values = {
        "track": task.track.slug,
        "task": task.slug,
        "run": runs[0].pk,
        "team": team.pk,
        "member": member.pk,
        "pool": pool.pk,
        "qrels": qrels.pk,
        "assignment": pool.assignments.earliest("pk").pk,
    }
    return FilledTrack(task, organizer, values)


def _fill(size: Size, **keys: int | list[int]) -> None:
    """Insert the rows that depend on ``keys``, and the counts that triggers would have stored."""
    given = {
        **keys,
        "options": OPTIONS,
        "depth": size.depth,
        "marked": MARKED,
        "topics": size.topics,
        "documents": size.documents,
        "results": size.results,
        "seats": size.seats,
        "queued": bool(size.crowd),
        "crowd": size.crowd or size.seats,
        "runs": size.runs,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in STATEMENTS:
            cursor.execute(statement, given)
        cursor.execute(HEADS)
        cursor.execute("SET LOCAL session_replication_role = origin")
    recount()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def addresses(track: FilledTrack) -> dict[str, str]:
    """Every page of the task that its organizer gets with the parameters at hand, by name."""
    found = named_routes()
    rows = [row for row in address_rows() if row.method == "GET" and Phase.JUDGING in row.phases]
    names = [row.name for row in rows if row.answers["organizer"] == "200" and not is_of_api(row.name)]
    return {
        name: found[name].filled(track.values)
        for name in names
        if set(found[name].parameters) <= track.values.keys() and name not in FILES
    }


def _topic(number: int) -> str:
    return f"T{number:03d}"


# Document j of topic t: runs share documents within a topic, topics share the collection.
DOCNO = "'doc' || lpad((({topic} * 1009 + {place}) %% %(documents)s)::text, 8, '0')"
ITEM = DOCNO.format(topic="t", place="j")
MOMENT = "now() - make_interval(secs => 20 * (t * %(options)s * %(depth)s + j))"
PERSON = """
    (%(people)s::bigint[])[1 + (t * %(crowd)s + (%(queued)s::int * 3 * j + s) %% %(crowd)s)
        %% cardinality(%(people)s::bigint[])]
"""
IS_GIVEN = "(s < %(seats)s - 1 OR j %% 2 = 0)"
HASH = "abs(hashint4(t * 100003 + j * 17 + s)::bigint)"

STATEMENTS = (
    """
    INSERT INTO evaluation_document (collection_id, docno, fields)
    SELECT %(collection)s, 'doc' || lpad(d::text, 8, '0'),
        jsonb_build_array(jsonb_build_array('caption', 'Caption of document ' || d))
    FROM generate_series(0, %(documents)s - 1) AS d
    """,
    f"""
    INSERT INTO evaluation_ranking (run_id, topic, docnos, scores)
    SELECT %(first_run)s + r, 'T' || lpad(t::text, 3, '0'),
        string_agg({DOCNO.format(topic="t", place="k * %(options)s + (r * 31 + k * 17 + t) %% %(options)s")},
                   E'\\n' ORDER BY k),
        decode(repeat('000000000000f03f', %(results)s), 'hex')
    FROM generate_series(0, %(runs)s - 1) AS r, generate_series(0, %(topics)s - 1) AS t,
        generate_series(0, %(results)s - 1) AS k
    GROUP BY r, t
    """,
    f"""
    INSERT INTO evaluation_poolitem (pool_id, topic, docno, position)
    SELECT %(pool)s, 'T' || lpad(t::text, 3, '0'), {ITEM}, t * %(options)s * %(depth)s + j
    FROM generate_series(0, %(topics)s - 1) AS t, generate_series(0, %(options)s * %(depth)s - 1) AS j
    """,
    f"""
    INSERT INTO assessment_assignment (pool_id, topic, assessor_id, kind, assigned_by_id)
    SELECT %(pool)s, 'T' || lpad(t::text, 3, '0'), {PERSON},
        CASE WHEN %(queued)s THEN 'items' WHEN s = 0 THEN 'owner' ELSE 'second' END, %(organizer)s
    FROM generate_series(0, %(topics)s - 1) AS t, generate_series(0, %(crowd)s - 1) AS s,
        (SELECT 0 AS j) AS first
    """,
    f"""
    INSERT INTO assessment_slot (pool_id, topic, docno, turn, position, assignment_id)
    SELECT %(pool)s, topic, docno, s, position, CASE WHEN {IS_GIVEN} THEN given.id END
    FROM (
        SELECT t, j, s, 'T' || lpad(t::text, 3, '0') AS topic, {ITEM} AS docno, {PERSON} AS assessor_id,
            t * %(options)s * %(depth)s + j AS position
        FROM generate_series(0, %(topics)s - 1) AS t, generate_series(0, %(options)s * %(depth)s - 1) AS j,
            generate_series(0, %(seats)s - 1) AS s
    ) AS wanted JOIN assessment_assignment AS given USING (topic, assessor_id)
    WHERE %(queued)s AND given.pool_id = %(pool)s
    """,
    """
    INSERT INTO assessment_assigneditem (assignment_id, place, docno, purpose)
    SELECT given.id, row_number() OVER (PARTITION BY given.id ORDER BY position), docno, 'work'
    FROM assessment_assignment AS given JOIN (
        SELECT assessment_assignment.id AS assignment_id, topic, docno, position
        FROM assessment_assignment JOIN evaluation_poolitem USING (pool_id, topic) WHERE kind <> 'items'
        UNION ALL SELECT assignment_id, topic, docno, position FROM assessment_slot
    ) AS item ON assignment_id = given.id
    WHERE given.pool_id = %(pool)s
    """,
    f"""
    INSERT INTO assessment_judgment (
        task_id, topic, docno, purpose, image_sha256, text_sha256, topic_sha256, criteria_id,
        assessor_id, grade,
        reason, comment, is_flagged, replies, client_uuid, shown_at, judged_at, active_seconds)
    SELECT %(task)s, 'T' || lpad(t::text, 3, '0'), {ITEM}, 'work', '', repeat('a', 64), repeat('b', 64),
        %(criteria)s, {PERSON},
        CASE WHEN {HASH} %% 1000 < 2 * %(marked)s THEN NULL WHEN s = 0 THEN j %% 3
             WHEN {HASH} %% 5 = 0 THEN ((j + {HASH}) %% 3) ELSE j %% 3 END,
        CASE WHEN {HASH} %% 1000 < 2 * %(marked)s THEN 'image' ELSE '' END,
        '', {HASH} %% 1000 >= 1000 - %(marked)s, '{{}}', gen_random_uuid(), {MOMENT}, {MOMENT},
        2 + {HASH} %% 800 / 100.0
    FROM generate_series(0, %(topics)s - 1) AS t, generate_series(0, %(options)s * %(depth)s - 1) AS j,
        generate_series(0, %(seats)s - 1) AS s
    WHERE {IS_GIVEN}
    ORDER BY hashint4(j), s
    """,
)

"""Topics that a practice task shares with other tasks of its track, whose grades would be open too early."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from evaluation.collections.models import Topic, TopicState
from evaluation.results.qrels.models import Qrels
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.statistics.agreement import cohen_kappa
from trackside.text.counted import counted

MOST_NAMED = 10  # topics in a sentence
COPIED = 0.8  # kappa; above it agreement is almost perfect (Landis and Koch 1977)
PAIR = ("topic", "docno", "grade")
Content = tuple[tuple[str, ...], str | None]


def find_shared(practice: Task) -> dict[int, dict[str, str]]:
    """Return the practice task's topics that tasks of its track have, too: by task, their number by ours.

    Topics are equal if their texts, whatever case, blanks and order, and their first images are. Released
    tasks are left out: their scores were final before anybody could practise.
    """
    ours = {content: number for _, number, content in _contents(practice.topics.all())}
    unreleased = Task.objects.filter(track=practice.track_id, is_practice=False)
    unreleased = unreleased.exclude(pk__in=Task.objects.once_released().values("pk"))
    shared: dict[int, dict[str, str]] = {}
    for task, number, content in _contents(Topic.objects.filter(task__in=unreleased)):
        if content in ours:
            shared.setdefault(task, {})[ours[content]] = number
    return dict(sorted(shared.items()))


def _contents(topics: Any) -> Iterable[tuple[int, str, Content]]:
    for task, number, fields, image in topics.values_list("task", "number", "fields", "image"):
        texts = (" ".join(text.split()).casefold() for _, text in fields)
        yield task, number, (tuple(sorted(filter(None, texts))), image)


def let_leave(task: Task, shared: Mapping[str, str], graded: Collection[str]) -> list[str]:
    """Let the shared topics that are graded leave the task; return their numbers there, if any had to."""
    numbers = [number for ours, number in shared.items() if ours in graded]
    staying = task.topics.filter(number__in=numbers).exclude(state=TopicState.LEFT)
    return numbers if staying.update(state=TopicState.LEFT) else []


def let_practised_leave(task: Task) -> None:
    """Let topics leave that came to the task after a practice task of its track had opened their grades."""
    for practice in Task.objects.filter(track=task.track_id, is_practice=True):
        graded = {topic for qrels in practice.qrels.all() for topic in qrels.topics}
        let_leave(task, find_shared(practice).get(task.pk, {}), graded)


def check_own(practice: Task, graded: Collection[tuple[str, str, int]]) -> None:
    """Refuse (topic, docno, grade) that the site gathered for an unreleased task. Raises qrels-not-released.

    They are its grades, a few of them altered or added, if kappa with them is above COPIED. Grades that
    organizers uploaded for that task are their own.
    """
    for task, numbers in find_shared(practice).items():
        sent = {(numbers[topic], docno): grade for topic, docno, grade in graded if topic in numbers}
        gathered = Qrels.objects.filter(task=task).exclude(provenance__has_key="import")
        for qrels in gathered if sent else ():
            pairs = qrels.pairs.graded().filter(topic__in={topic for topic, _ in sent})
            if _is_copy(sent, {(topic, docno): grade for topic, docno, grade in pairs.values_list(*PAIR)}):
                raise InputError(
                    f"These grades agree with those of {qrels.task.name}, {qrels}, in all or most pairs, and "
                    "that task is not released: a practice task would open them. Upload grades of your own, "
                    "or wait for its release.",
                    code="qrels-not-released",
                )


def _is_copy(sent: Mapping[tuple[str, str], int], gathered: Mapping[tuple[str, str], int]) -> bool:
    absent = min(sent.values()) - 1
    grades, theirs = list(sent.values()), [gathered.get(pair, absent) for pair in sent]
    kappa = cohen_kappa(grades, theirs, tuple(sorted({*grades, *theirs}))).value
    return grades == theirs or (kappa is not None and kappa > COPIED)


def leaving_words(practice: Task) -> list[str]:
    """Return in words, by task, which topics leave its scores if the practice task has grades of them."""
    words = []
    for pk, shared in find_shared(practice).items():
        task = Task.objects.get(pk=pk)
        staying = task.topics.filter(number__in=shared.values()).exclude(state=TopicState.LEFT)
        numbers = list(staying.values_list("number", flat=True))
        if numbers:
            more = f" and {len(numbers) - MOST_NAMED:,} more" if len(numbers) > MOST_NAMED else ""
            words.append(
                f"{counted(len(numbers), 'topic')} of {task.name}: {', '.join(numbers[:MOST_NAMED])}{more}"
            )
    return words

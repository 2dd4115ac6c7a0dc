"""The page of a topic and the list of topics: what runs retrieved, side by side."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.files import document_files
from evaluation.collections.models import Topic
from evaluation.platform.access.people import organizes
from evaluation.results.qrels.models import Qrels
from evaluation.results.topic_pages.comparison import SHOWN, RunsCompared, RunSide, compare
from evaluation.results.topic_pages.listing import find_topics, strata_of, topic_cards
from evaluation.results.topic_pages.lookups import (
    people_and_judges,
    shown_runs,
    visible_topics,
)
from evaluation.results.topic_pages.topic_values import ValueLine, ordered_topics, run_lines, value_line
from evaluation.results.values.actions import shown_measures
from evaluation.results.values.leaderboard import families_of, qrels_to_choose
from evaluation.submissions.runs.models import Run
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_explored_task
from evaluation.tracks.models import Task

BY_DIFFERENCE = "difference"
LISTED = 24  # topics on a page: six rows of four
LONGEST = 200  # characters of a search


@require_safe
def topic_list(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """List the topics that the reader may see, some on a page, by the words and the stratum in the URL.

    With ``number`` in the URL, lead to the page of that topic.
    """
    track_task = find_explored_task(request, track, task)
    topics = visible_topics(track_task, request.user)
    choice = request.GET.copy()
    if number := "".join(choice.pop("number", [])):
        named = get_object_or_404(topics, number=number)
        address = reverse("topic_detail", args=[track, task, named.pk])
        return redirect(f"{address}?{choice.urlencode()}" if choice else address)
    strata = strata_of(track_task, request.user, topics)
    words = request.GET.get("q", "").strip()[:LONGEST]
    stratum = request.GET.get("stratum", "")
    context = {
        "task": track_task,
        "has_pictures": topics.filter(image__isnull=False).exists(),
        "files": document_files(track_task.collection),
        "strata": strata,
        "words": words,
        "stratum": stratum,
        "measure": shown_measures(track_task)[0],
        "topic_count": topics.count(),
    }
    if words:
        topics = find_topics(topics, words)
    if stratum in strata:
        topics = topics.filter(stratum=stratum)
    page = Paginator(topics.select_related("image"), LISTED).get_page(request.GET.get("page"))
    cards = topic_cards(track_task, request.user, list(page))
    context |= {"page": page, "cards": cards, "has_answers": any(card.document for card in cards)}
    return render(request, "evaluation/topic_pages/topic_list.html", context)


@require_safe
def topic_detail(request: HttpRequest, track: str, task: str, topic: int) -> HttpResponse:
    """Show a topic and the results of one or two runs, chosen in the URL."""
    track_task = find_explored_task(request, track, task)
    task_topic = get_object_or_404(visible_topics(track_task, request.user).select_related("image"), pk=topic)
    context = {
        "task": track_task,
        "topic": task_topic,
        "is_organizer": organizes(request.user, track_task.track_id),
        "digest": task_topic.shown(ChosenFields.objects.topic_roles(track_task.pk)).digest,
        **_comparison(request, track_task, task_topic),
    }
    context["sides"] = _sides(
        context["comparison"], context["lines"], families_of(context["runs"], request.user)
    )
    # Choices of runs, orders and filters combine without bound: robots need no page but the plain one.
    answer = render(request, "evaluation/topic_pages/topic_detail.html", context)
    if request.GET:
        answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer


def _comparison(request: HttpRequest, task: Task, topic: Topic) -> dict[str, Any]:
    """Return the two sides, their grades and values, and the neighbours of the topic."""
    reader, asked = request.user, request.GET
    people, judges = people_and_judges(qrels_to_choose(task, reader))
    judge = _chosen(judges, asked.get("judge"))
    choices = shown_runs(task, reader)
    runs = _chosen_runs(choices, asked)
    measures = shown_measures(task)
    measure = asked["measure"] if asked.get("measure") in measures else measures[0]
    known = [qrels for qrels in (people, judge) if qrels]
    all_lines = (value_line(topic, qrels, measure, reader, runs, index) for index, qrels in enumerate(known))
    lines = [line for line in all_lines if line]
    order = asked.get("order", "") if people and len(runs) > 1 else ""
    topics = ordered_topics(task, reader, people if order == BY_DIFFERENCE else None, measure, runs)
    return {
        "people": people,
        "judge": judge,
        "judges": judges,
        "measure": measure,
        "measures": measures,
        "choices": choices,
        "runs": runs,
        "kept": {letter: run.pk for letter, run in zip("ab", runs, strict=False)},
        "lines": lines,
        "run_lines": run_lines(lines, reader),
        "order": order,
        **_neighbours(topics, topic),
        **_results(task, topic, runs, (people, judge), asked),
    }


def _results(
    task: Task,
    topic: Topic,
    runs: Sequence[Run],
    qrels: tuple[Qrels | None, Qrels | None],
    asked: QueryDict,
) -> dict[str, Any]:
    """Return the results side by side from the rank in the URL, and the filters."""
    first = _first_rank(asked)
    criteria = Criteria.objects.current(task)
    comparison = compare(topic, task, runs, qrels, first) if runs else None
    longest = max((side.result_count for side in comparison.sides), default=0) if comparison else 0
    return {
        "criteria": criteria,
        "comparison": comparison,
        "filters": _filters(comparison, *qrels, criteria.scale),
        "shows": asked.get("show", "all"),
        "first": first,
        "next_first": first + SHOWN if longest > first + SHOWN else None,
    }


def _filters(
    comparison: RunsCompared | None, people: Qrels | None, judge: Qrels | None, scale: Sequence[int]
) -> list[tuple[str, str, int]]:
    """Return (name, words, results) of each filter that can select something."""
    if comparison is None:
        return []
    words = {"all": "All"}
    if len(comparison.sides) > 1:
        words |= {"only-a": "Only run A", "only-b": "Only run B"}
    if people and judge and scale:
        words["gap"] = f"{people.name} {scale[0]} and {judge.name} {scale[-1]}"
    if people:
        words["unjudged"] = "Not judged"
    return [(name, text, comparison.counts.get(name, 0)) for name, text in words.items()]


def _sides(
    comparison: RunsCompared | None, lines: Sequence[ValueLine], families: Mapping[int, Sequence[str]]
) -> list[tuple[RunSide, Sequence[str], list[tuple[str, float | None, int | None, int]]]]:
    """Return each side with its families, and (qrels, value, rank, runs) of each line of values."""
    return [
        (
            side,
            families[side.run.pk],
            [
                (line.qrels.name, line.value(side.run), line.rank(side.run), len(line.by_run))
                for line in lines
            ],
        )
        for side in (comparison.sides if comparison else ())
    ]


def _chosen(judges: Sequence[Qrels], wanted: str | None) -> Qrels | None:
    return next((qrels for qrels in judges if str(qrels.pk) == wanted), judges[0] if judges else None)


def _chosen_runs(choices: Sequence[Run], asked: QueryDict) -> list[Run]:
    """Return runs A and B of the URL; by default the first two, and A alone for ``b=none``."""
    by_key = {str(run.pk): run for run in choices}
    a = by_key.get(asked.get("a", ""), choices[0] if choices else None)
    others = [run for run in choices if run != a]
    default = None if "b" in asked else next(iter(others), None)
    b = by_key.get(asked.get("b", ""), default)
    return [run for run in (a, b if b != a else None) if run]


def _first_rank(asked: QueryDict) -> int:
    """Return the index of the first rank shown, a multiple of SHOWN."""
    text = asked.get("from", "")
    return (int(text) - 1) // SHOWN * SHOWN if text.isascii() and text.isdigit() and 0 < len(text) < 6 else 0


def _neighbours(topics: Sequence[tuple[int, str]], topic: Topic) -> dict[str, Any]:
    index = next(index for index, (key, _) in enumerate(topics) if key == topic.pk)
    return {
        "place": index + 1,
        "topic_count": len(topics),
        "previous": topics[index - 1] if index else None,
        "next": topics[index + 1] if index + 1 < len(topics) else None,
    }

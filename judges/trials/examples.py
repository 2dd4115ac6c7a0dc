"""Examples of a prompt: pairs that people graded, as they are shown to a judge that is made or compared."""

from dataclasses import replace

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge
from judges.jobs.models import Job
from trackside.errors import InputError
from trackside.files import Qrels as QrelsFile
from trackside.judging.examples import EXAMPLES, Pair, check_graded
from trackside.judging.forms import answer_form
from trackside.judging.inputs import with_examples
from trackside.judging.settings import Settings


def people_grades(task: Task, by: User) -> dict[Pair, int]:
    """Return people's latest published grades of pairs; none that are hidden from the person."""
    visible = Qrels.objects.visible_to(by).filter(task=task, kind=QrelsKind.HUMAN)
    latest = visible.order_by("-created_at").first()
    rows = latest.pairs.graded().values_list("topic", "docno", "grade") if latest else ()
    return {(topic, docno): grade for topic, docno, grade in rows if grade is not None}


def filled_settings(settings: Settings, *, task: Task, lines: str, by: User) -> Settings:
    """Return the settings with judged pairs at ``{examples}`` of their prompt.

    ``lines`` are lines of the latest qrels of people that the person may see. Raises examples-refused.
    """
    if (EXAMPLES in settings.prompt) != bool(lines.strip()):
        raise InputError(
            f"Example pairs and {EXAMPLES} in the prompt need each other. Give both, or neither.",
            code="examples-refused",
        )
    if not lines.strip():
        return settings
    named = QrelsFile.from_file(lines.encode(), name="the examples").items()
    examples = {(topic, docno): grade for topic, of_topic in named for docno, grade in of_topic.items()}
    check_graded(examples, people_grades(task, by))
    bare = replace(settings, prompt=settings.prompt.replace(EXAMPLES, ""))
    judge = Judge(backend=bare.backend, prompt=bare.prompt, answer=bare.answer, image_size=bare.image_size)
    judge.text_fields = list(bare.text_fields)
    inputs = Job(judge=judge, pool=Pool(task=task)).pair_inputs(list(examples))
    prompt = with_examples(settings.prompt, answer_form(settings.answer), examples, inputs)
    return replace(settings, prompt=prompt)

"""Create a prompt, or a new version of one."""

from django.db import transaction
from django.db.models import Max

from evaluation.platform.access.people import User
from evaluation.tracks.models import Track
from judges.prompts.models import Prompt
from trackside.errors import InputError
from trackside.judging.prompts import PromptTemplate as CorePrompt
from trackside.judging.prompts import stored_template
from trackside.judging.shipped_prompts import BUILT_IN


@transaction.atomic
def create_prompt(
    *, name: str, template: str, answer: str, by: User, source: str = "", track: Track | None = None
) -> Prompt:
    """Store the text with its source as the next version under its name, for the track or for the site.

    Versions under a built-in prompt's name continue its numbers. The same text can be stored again only to
    add its source. Raises prompt-refused, prompt-exists.
    """
    User.objects.select_for_update().get(pk=by.pk)  # serialises the version numbers of one person
    prompt = CorePrompt(
        name=name, version=1, template=stored_template(template), answer=answer, source=source.strip()
    ).checked()
    rows = Prompt.objects.filter(name=name, track=track)
    built_in = [core for core in BUILT_IN if core.name == name]
    if any(prompt.repeats(core) for core in (*built_in, *(row.core for row in rows))):
        raise InputError(
            f'A version of "{name}" has the same text. Use it, or change the text.', code="prompt-exists"
        )
    latest = rows.aggregate(latest=Max("version"))["latest"] or max((p.version for p in built_in), default=0)
    return Prompt.objects.create(
        track=track,
        name=name,
        version=latest + 1,
        template=prompt.template,
        answer=answer,
        source=prompt.source,
        sha256=prompt.sha256,
        created_by=by,
    )

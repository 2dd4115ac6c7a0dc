"""Template tags for tables, sections, headings and forms of one button; ``{% load trackside %}`` has them."""

from itertools import chain

from django.core.cache import caches
from django.template import Context, Library
from django.template.loader_tags import BLOCK_CONTEXT_KEY, BlockNode
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from evaluation.organizing.pages.long_work import untaken_work

register = Library()


@register.inclusion_tag("act.html")
def act(page: str, *args: object, label: str, of: object = "", tone: str = "") -> dict[str, object]:
    """Return a form with one button, which posts to the page; screen readers hear ``of`` after its label."""
    return {"action": reverse(page, args=args), "label": label, "of": of, "tone": tone}


HEADINGS = {"utc": "{}, <span data-clock>UTC</span>", "vh": '<span class="vh">{}</span>'}
HEADING_CLASSES = {"n": ' class="n"', "w": ' class="w"', "utc": ' class="n"'}


Names = str | tuple[str, ...]


FRESH = 10  # seconds: some pages poll every second


@register.inclusion_tag("evaluation/work/untaken.html")
def untaken() -> dict[str, object]:
    """Return the kinds of the site's work that no worker takes, as of FRESH seconds ago at most."""
    return {"untaken": caches["pages"].get_or_set("untaken", untaken_work, FRESH)}


@register.simple_tag
def columns(*names: Names) -> tuple[str, ...]:
    """Return the names of columns as one value, for tables with more than fit in a line."""
    return tuple(chain.from_iterable([name] if isinstance(name, str) else name for name in names))


@register.simple_tag
def headings(*names: Names, roles: bool = True) -> SafeString:
    """Return the head of a table with a column for each name.

    A name may begin with the kind of its column: `n:` numbers, `utc:` times, `w:` wide texts, `vh:` a name
    for screen readers alone. Tables of the class `cards` need the roles.
    """
    of_group, of_row, of_cell = (
        f' role="{role}"' if roles else "" for role in ("rowgroup", "row", "columnheader")
    )
    cells = ""
    for kind, _, words in (name.rpartition(":") for name in columns(*names)):
        text = format_html(HEADINGS.get(kind, "{}"), words)
        cells += f'<th scope="col"{of_cell}{HEADING_CLASSES.get(kind, "")}>{text}</th>'
    return mark_safe(f"<thead{of_group}><tr{of_row}>{cells}</tr></thead>")  # noqa: S308 - words are escaped


@register.simple_block_tag
def table(content: SafeString, label: str, *names: Names, css: str = "", frame: str = "") -> SafeString:
    """Return a table that scrolls in a region with a label.

    With names of columns, as of ``headings``, its content is the rows, after a caption if it has one.
    ``css`` are the classes of the table, ``frame`` those of the region.
    """
    roles = "cards" in css.split()  # narrow pages show each row as a card, so the roles must be named
    if names:
        caption, end, rows = content.rpartition("</caption>")
        role = ' role="rowgroup"' if roles else ""
        content = mark_safe(f"{caption}{end}{headings(*names, roles=roles)}<tbody{role}>{rows}</tbody>")  # noqa: S308
    return format_html(
        '<div class="scroll {}" tabindex="0" role="region" aria-label="Table: {}">'
        '<table class="{}"{}>{}</table></div>',
        frame,
        label,
        css,
        mark_safe(' role="table"') if roles else "",
        content,
    )


# Loads the page again, and replaces this section alone: forms beside it keep what is typed.
AFRESH = (
    'hx-get="" hx-trigger="operations-ended from:body" hx-swap="outerHTML" hx-select="[aria-labelledby={}]"'
)


@register.simple_block_tag
def section(content: SafeString, name: str, title: str, css: str = "", *, live: bool = False) -> SafeString:
    """Return a section of a page, which links can name, under its title.

    A live one shows what operations store, and is fetched again when they end.
    """
    start = format_html(
        '<section class="stack {}" aria-labelledby="{}" {}>',
        css,
        name,
        format_html(AFRESH, name) if live else "",
    )
    return format_html('{}<h2 id="{}">{}</h2>{}</section>', start, name, title, content)


@register.simple_tag(takes_context=True)
def again(context: Context, block: str) -> SafeString:
    """Return a block of the page once more, such as its title as its heading."""
    node: BlockNode = context.render_context[BLOCK_CONTEXT_KEY].get_block(block)
    return node.render(context)

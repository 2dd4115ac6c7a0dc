"""From an empty site to an open task by clicks only: pages, workers, mails and a CLIP; never the admin."""

import json
import re
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Picture
from playwright.sync_api import Page, expect

from assessment.models import GoldItem
from evaluation.models import Membership, Phase, Role, Task, Team, User
from tests.factories import PASSWORD, make_staff
from tests.journeys.human_pace import HumanPace
from tests.journeys.patience import WORKERS_PATIENCE
from tests.judges.tiny_clip import save_tiny_clip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

MOST_MINUTES = 30
TEAMS = ("Kestrel", "Nordlys", "Quarry")
ASSESSORS = [f"assessor{place}@example.org" for place in range(1, 5)]


@dataclass(frozen=True)
class Size:
    """The size of the track that is set up."""

    pictures: int
    topics: int


FULL = Size(pictures=5_000, topics=50)
SIZES = [
    pytest.param(Size(pictures=6, topics=3), id="small"),
    pytest.param(FULL, id="full", marks=pytest.mark.long),
]


@pytest.mark.both_engines
@pytest.mark.parametrize("size", SIZES)
def test_staff_opens_a_task_without_the_admin(
    workers: Path, open_browser: Callable[[], Page], tmp_path: Path, size: Size
) -> None:
    folder = save_tiny_clip(tmp_path / "clip")
    collection = write_pictures(tmp_path / "pictures.zip", size.pictures)
    topics = write_topics(tmp_path / "topics.jsonl", size.topics)
    page, visited = open_browser(), []
    page.on("framenavigated", lambda frame: visited.append(frame.url))
    pace = HumanPace(page)
    sign_in(page, make_staff())
    begin(page)
    set_dates(page)
    upload(page, "Collection", "Upload documents", collection)
    upload(page, "Topics", "Upload topics", topics)
    choose_criteria(page)
    write_guidelines(page)
    add_family_and_question(page)
    pick_gold(page)
    invite_assessors(page)
    make_teams(page)
    make_judge(page, folder)
    open_task(page)
    print(pace)  # pytest -s
    # Beside other tests, a worker may start late; at full size, the test runs alone.
    assert pace.worked + (pace.waited if size == FULL else 0) < MOST_MINUTES

    task = Task.objects.with_phase().get()
    assert task.phase == Phase.OPEN
    assert (task.topics.count(), task.collection.documents.count()) == (size.topics, size.pictures)
    assert task.pictures.count() == 1
    assert [team.name for team in Team.objects.order_by("name")] == list(TEAMS)
    assert GoldItem.objects.get().grade == 2
    assert not any("/admin/" in url for url in visited)
    accept(open_browser(), workers, ASSESSORS[0], "Attentive Reader")
    accept(open_browser(), workers, "owner-kestrel@example.org", "R. Okafor")
    roles = set(Membership.objects.exclude(role=Role.ORGANIZER).values_list("role", flat=True))
    assert roles == {Role.ASSESSOR, Role.TEAM_OWNER}


def write_pictures(path: Path, count: int) -> Path:
    """A zip of pictures with their captions."""
    records = []
    with zipfile.ZipFile(path, "w") as archive:
        for place in range(1, count + 1):
            noise = np.random.default_rng(place).integers(0, 256, (48, 64, 3), dtype=np.uint8)
            with BytesIO() as one:
                Picture.fromarray(noise).save(one, "PNG")
                archive.writestr(f"D{place}.png", one.getvalue())
            records.append({"id": f"D{place}", "image": f"D{place}.png", "caption": f"Picture {place}"})
        archive.writestr("captions.jsonl", "\n".join(map(json.dumps, records)))
    return path


def write_topics(path: Path, count: int) -> Path:
    """Topics with two texts each."""
    records = (
        {"id": f"T{place}", "page_title": f"Page {place}", "section_title": f"Section {place}"}
        for place in range(1, count + 1)
    )
    path.write_text("\n".join(map(json.dumps, records)))
    return path


def sign_in(page: Page, person: User) -> None:
    page.goto("/account/login/")
    page.get_by_label("E-mail").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=str(person))).to_be_visible()


def begin(page: Page) -> None:
    page.get_by_role("link", name="Make the first one").click()
    page.get_by_label("Name of the track").fill("AToMiC")
    page.get_by_label("Year").press("ControlOrMeta+a")  # Firefox appends what is filled into a number
    page.keyboard.type("2026")
    page.get_by_label("Name of the task").fill("Image suggestion")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dates")


def step(page: Page, title: str) -> None:
    page.locator(".steps a", has=page.locator("span", has_text=re.compile(f"^{title}"))).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def set_dates(page: Page) -> None:
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    for name, day in (("opens_at", 1), ("closes_at", 8), ("judging_at", 9), ("releases_at", 20)):
        page.locator(f"#id_{name}").fill(f"2090-03-{day:02}T12:00:00")
    page.get_by_role("button", name="Save, next: Collection").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Collection")


def upload(page: Page, title: str, button: str, path: Path) -> None:
    step(page, title)
    page.get_by_label("File").set_input_files(path)
    page.get_by_role("button", name=button).click()
    page.get_by_role("button", name="Add them").click(timeout=WORKERS_PATIENCE)
    expect(page.get_by_text("confirmed by").first).to_be_visible(timeout=WORKERS_PATIENCE)
    page.get_by_role("link", name=f"Set up: {title}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def choose_criteria(page: Page) -> None:
    step(page, "Criteria")
    page.get_by_role("link", name="TREC, 0 to 3").click()
    page.get_by_role("button", name="Remove grade 3").click()
    page.get_by_label("Name").first.fill("Highly relevant")
    page.get_by_role("button", name="Save, next: Guidelines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Guidelines")


def write_guidelines(page: Page) -> None:
    with BytesIO() as file:
        Picture.new("RGB", (80, 60), (10, 90, 30)).save(file, "PNG")
        content = file.getvalue()
    page.get_by_label("Name of the picture").fill("A good example")
    page.get_by_label("File").set_input_files(
        {"name": "example.png", "mimeType": "image/png", "buffer": content}
    )
    page.get_by_role("button", name="Add the picture").click()
    line = page.locator("code", has_text="A good example").inner_text()
    page.get_by_label("Guidelines of the task").fill(f"Grade what the section says.\n\n{line}")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".guide img")).to_be_visible()


def add_family_and_question(page: Page) -> None:
    step(page, "Families and questions")
    page.get_by_label("Name of the family").fill("CLIP-based")
    page.get_by_role("button", name="Add the family").click()
    expect(page.get_by_role("button", name="Remove CLIP-based")).to_be_visible()
    page.locator("#id_question_text").fill("Was it trained on the topics?")
    page.locator("#id_question_name").fill("training")
    page.locator("#id_question_kind").select_option("yes-no")
    page.get_by_role("button", name="Add the question").click()
    expect(page.get_by_role("button", name="Remove Was it trained")).to_be_visible()
    step(page, "Plan")
    page.get_by_role("button", name="Save", exact=True).click()


def pick_gold(page: Page) -> None:
    step(page, "Gold and practice")
    page.get_by_label("Topic").select_option("T2")
    page.get_by_label("Beginning of a docno, or words").fill("D3")
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name="2, Highly relevant: D3", exact=True).click()
    expect(page.get_by_role("heading", name="1 gold pair")).to_be_visible()


def invite_assessors(page: Page) -> None:
    step(page, "Assessors and organizers")
    page.get_by_label("E-mail addresses").fill("\n".join(ASSESSORS))
    page.get_by_role("button", name="Send the invitations").click()
    expect(page.get_by_role("status")).to_contain_text("4 invitations")


def make_teams(page: Page) -> None:
    step(page, "Teams")
    for name in TEAMS:
        page.get_by_label("Name of the team").fill(name)
        page.get_by_role("button", name="Make the team").click()
        page.get_by_label(f"E-mail addresses for {name}").fill(f"owner-{name.lower()}@example.org")
        page.get_by_role("button", name=f"Invite to {name}").click()
        expect(page.get_by_role("status")).to_contain_text(f"owner-{name.lower()}@example.org")


def make_judge(page: Page, folder: Path) -> None:
    """A missing model is reported on the page, and the right one gives a score."""
    step(page, "Model judges")
    page.get_by_label("Name").fill("clip-wrong")
    page.locator("#id_preset").select_option("clip: clipscore-2021")
    page.locator("#id_model").fill(str(folder / "absent"))
    page.get_by_role("button", name="Make it and try it").click()
    expect(page.get_by_role("alert")).to_contain_text("is not a folder on this server")
    page.get_by_label("Name").fill("clip-tiny")
    page.locator("#id_model").fill(str(folder))
    page.get_by_role("button", name="Make it and try it").click()
    expect(page.get_by_text(re.compile(r"works: raw score \d"))).to_be_visible(timeout=WORKERS_PATIENCE)


def open_task(page: Page) -> None:
    step(page, "Open")
    page.get_by_role("button", name="Open it now").click()
    expect(page.get_by_text("is open for runs").first).to_be_visible()


def accept(page: Page, log: Path, email: str, name: str) -> None:
    """Follow the link in the mail to the address, which a worker prints; no page shows it."""
    mail = re.compile(rf"^To: {email}$.*?(/invitations/\S+)", re.DOTALL | re.MULTILINE)
    deadline = time.monotonic() + WORKERS_PATIENCE / 1000
    while not (link := mail.search(log.read_text(errors="replace"))):
        assert time.monotonic() < deadline, f"nothing was mailed to {email}"
        time.sleep(0.1)
    page.goto(link[1])
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("link", name=name)).to_be_visible()

import json
from pathlib import Path

import pytest

from tests.trackside.cli.files.loop.loop_files import Track
from trackside.cli.main import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def track(tmp_path: Path) -> Track:
    return Track(tmp_path)


def refusal(arguments: list[str], capsys: Capture) -> str:
    """The sentence on standard error of a refused command."""
    capsys.readouterr()
    assert main(arguments) == 2
    return capsys.readouterr().err


def test_a_plan_is_made_drawn_and_estimated(track: Track, capsys: Capture) -> None:
    assert main(track.new) == 0
    printed = capsys.readouterr().out
    assert "pairs of 25 topics, 4 runs to depth 5" in printed
    assert "batches of 40, 40, 40: 120 judgments" in printed
    assert main(["plan", "next", track.plan]) == 0
    first = track.drawn(1)
    assert len(set(first)) == 40
    assert main(["plan", "next", track.plan, "--qrels", track.graded(1)]) == 0
    assert not set(first) & set(track.drawn(2))
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.graded(1, 2)]) == 0
    printed = capsys.readouterr().out
    assert "80 of" in printed
    assert "look 1 of 3" in printed
    assert "(z 2.394)" in printed
    assert "pairs of runs are told apart" in printed
    assert "Go on: 40 judgments are left" in printed


def test_the_same_inputs_draw_the_same_pairs(track: Track) -> None:
    drawn = []
    for name in ("one", "two"):
        track.plan = str(track.folder / name)
        assert main(track.new) == 0
        assert main(["plan", "next", track.plan]) == 0
        drawn.append(track.drawn(1))
    assert drawn[0] == drawn[1]


def test_a_plan_is_not_made_again_and_a_batch_not_drawn_again(track: Track, capsys: Capture) -> None:
    main(track.new)
    assert "has a plan already" in refusal(track.new, capsys)
    main(["plan", "next", track.plan])
    assert "never drawn again" in refusal(["plan", "next", track.plan], capsys)
    for number in (1, 2):
        main(["plan", "next", track.plan, "--qrels", track.graded(*range(1, number + 1))])
    assert "all 3 batches" in refusal(["plan", "next", track.plan, "--qrels", track.graded(1, 2, 3)], capsys)


@pytest.mark.parametrize("name", ["plan.json", "batch-1.tsv", "chances-1.tsv", "runs.tsv"])
def test_a_plan_changed_midway_is_refused(track: Track, name: str, capsys: Capture) -> None:
    main(track.new)
    main(["plan", "next", track.plan])
    path = Path(track.plan) / name
    path.write_text(
        path.read_text().replace('"seed": 0', '"seed": 1')
        if name == "plan.json"
        else path.read_text()[:-30] + "\n"
    )
    assert "was changed after it was written" in refusal(
        ["estimate", track.plan, "--qrels", track.people], capsys
    )


def test_late_grades_count_to_the_first_gap(track: Track, capsys: Capture) -> None:
    main(track.new)
    main(["plan", "next", track.plan])
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.graded(1, without=15)]) == 0
    printed = capsys.readouterr().out
    assert "batch 1: the first 25 of 40 pairs are finished: these alone count (25 have a grade)" in printed
    assert "15 drawn pairs still wait for a grade" in printed
    # A look between batches: Bonferroni's z of three.
    assert "(z 2.394)" in printed
    assert "no batch has 10 graded pairs" in refusal(
        ["estimate", track.plan, "--qrels", track.graded(1, without=35)], capsys
    )


def test_looks_are_counted_once_each_and_claims_end_with_the_plan(track: Track, capsys: Capture) -> None:
    main(track.new)
    main(["plan", "next", track.plan])
    assert main(["estimate", track.plan, "--qrels", track.graded(1)]) == 0
    assert "One batch: nothing is claimed" in capsys.readouterr().out
    main(["plan", "next", track.plan, "--qrels", track.graded(1)])
    for without in (0, 0, 3, 6):
        capsys.readouterr()
        main(["estimate", track.plan, "--qrels", track.graded(1, 2, without=without)])
    printed = capsys.readouterr().out
    assert "look 4 of 3" in printed
    assert "More looks than planned: nothing is claimed" in printed
    assert "told apart" not in printed


def test_withdrawn_and_new_runs_and_ungradable_pairs(track: Track, capsys: Capture) -> None:
    main(track.new)
    main(["plan", "next", track.plan])
    main(["plan", "next", track.plan, "--qrels", track.graded(1), "--withdraw", "run3"])
    late = track.folder / "late"
    text = (track.folder / "run1").read_text().replace("run1", "late")
    late.write_text(text)
    pair = track.drawn(2)[3]
    grades = {p: track.grades[p] for p in (*track.drawn(1), *track.drawn(2))} | {pair: -1}
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.write("g", grades), "--new-run", str(late)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "run3 is withdrawn" in lines
    assert "late came after grades were seen; 0.0 % are outside and count as 0" in lines
    assert "late has the lists of run1: one run, left out of pairs, tau and order" in lines
    assert "1 pair cannot be graded: see the means with all at 0, and at the top" in lines
    rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith(("run", "late"))}
    assert rows["late"][0] == rows["run1"][0]
    assert rows["run"][-3:] == ["cannot:", "0", "top"]
    assert not any(line.startswith("run3 ") and "withdrawn" not in line for line in lines)


def test_a_new_version_of_the_judge_serves_later_batches(track: Track) -> None:
    main(track.new)
    main(["plan", "next", track.plan])
    main(["plan", "next", track.plan, "--qrels", track.graded(1), "--judge", f"told={track.people}"])
    versions = [
        json.loads((Path(track.plan) / f"batch-{number}.json").read_text())["judges"] for number in (1, 2)
    ]
    assert versions == [0, 1]
    assert (Path(track.plan) / "judges-1.tsv").read_text().startswith("topic\tdocno\tlater\ttold\n")
    main(["plan", "next", track.plan, "--qrels", track.graded(1, 2), "--judge", track.judge, "--unseen"])
    from trackside.cli.files.loop.plan_folder import PlanFolder

    state = PlanFolder(Path(track.plan)).state([])
    assert [batch.version for batch in state.batches] == [2, 2, 2]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--budget", "100"], "people's highest grade"),
        (["--highest", "2"], "how many pairs can people grade"),
        (["--highest", "2", "--budget", "100"], "a batch of 20 pairs is too small"),
        (["--highest", "2", "--budget", "300", "--measure", "bpref"], "the loop estimates nDCG"),
        (["--highest", "2", "--budget", "300", "--depth", "5"], "it needs more than the depth of 5"),
        (["--highest", "2", "--budget", "300", "--tau", "2"], "out of range"),
        (["--highest", "2", "--budget", "300", "--recipe", "guess"], "no recipe guess"),
        (["--highest", "2", "--budget", "300", "--qrels", "x"], "--qrels goes with plan next"),
        (["--highest", "2", "--budget", "300", "--topics", "none"], "--topics none"),
        (["--highest", "2", "--budget", "300", "--judge", "none"], "none"),
    ],
)
def test_settings_that_do_not_fit_are_refused(
    track: Track, options: list[str], sentence: str, capsys: Capture
) -> None:
    assert sentence in refusal(["plan", "new", track.plan, *options, *track.runs], capsys)


def test_bad_input_is_a_sentence_each(track: Track, capsys: Capture) -> None:
    settings = ["--highest", "2", "--size", "40", "-m", "nDCG@5"]
    assert "no runs" in refusal(["plan", "new", track.plan, *settings], capsys)
    assert "plan.json" in refusal(["plan", "next", track.plan], capsys)
    assert "plan.json" in refusal(["estimate", track.plan], capsys)
    other = track.write("other.qrels", {("x", "y"): 1})
    assert "scored no pair of these runs" in refusal(
        ["plan", "new", track.plan, *settings, "--judge", other, *track.runs], capsys
    )
    topics = track.folder / "topics"
    topics.write_text("nowhere\n")
    assert "in common" in refusal(
        ["plan", "new", track.plan, *settings, "--topics", str(topics), *track.runs], capsys
    )


def test_constant_scores_one_topic_one_run_and_identical_runs_are_said(track: Track, capsys: Capture) -> None:
    constant = track.write("constant.qrels", dict.fromkeys(track.grades, 1))
    topics, plan = track.folder / "topics", ["--highest", "2", "-m", "nDCG@5"]
    topics.write_text("t00\n")
    copy = track.folder / "copy"
    copy.write_text((track.folder / "run0").read_text().replace("run0", "copy"))
    assert (
        main(["plan", "new", track.plan, *plan, "--size", "40", "--judge", constant, *track.runs, str(copy)])
        == 0
    )
    printed = capsys.readouterr().out
    assert "judge constant.qrels: every score is 1, so it tells nothing and is not used" in printed
    assert "copy has the lists of run0" in printed
    track.plan = str(track.folder / "topic")
    assert (
        main(["plan", "new", track.plan, *plan, "--size", "30", "--topics", str(topics), track.runs[0]]) == 0
    )
    assert "One topic: " in capsys.readouterr().out
    main(["plan", "next", track.plan])
    grades = track.write("all", {pair: track.grades[pair] for pair in track.drawn(1)})
    assert main(["estimate", track.plan, "--qrels", grades]) == 0
    assert "Stop: every pair is graded." in capsys.readouterr().out
    track.plan = str(track.folder / "one")
    assert main(["plan", "new", track.plan, *plan, "--size", "40", "--size", "40", track.runs[0]]) == 0
    main(["plan", "next", track.plan])
    capsys.readouterr()
    main(["plan", "next", track.plan, "--qrels", track.graded(1)])
    capsys.readouterr()
    assert main(["estimate", track.plan, "--qrels", track.graded(1, 2)]) == 0
    assert "One run: there is nothing to order." in capsys.readouterr().out

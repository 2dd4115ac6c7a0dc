"""The step of setting up that shows the judges of a task."""

from evaluation.setup.steps import Need, Stage, Step, StepStatus, register_step
from evaluation.tracks.models import Task
from judges.trials.models import Trial
from judges.trials.pages import usable_judges


def judges_status(task: Task) -> StepStatus:
    """Return the state: judges that worked in a trial, and fresh failed trials as needs."""
    judges = usable_judges(task)
    count = judges.count()
    trials = list(Trial.objects.latest_of(task).filter(judge__in=judges).select_related("judge"))
    worked = sum(bool(trial.result) for trial in trials)
    failed = [str(trial.judge) for trial in trials if trial.error and trial.is_fresh]
    needs = (Need(Stage.POOL, f"No answer from {', '.join(failed)} in the last trial."),) if failed else ()
    if not count:
        return StepStatus("none; models are optional", is_done=False)
    return StepStatus(f"{count} judge{'s' * (count > 1)}, {worked} tried", is_done=bool(worked), needs=needs)


def register() -> None:
    """Register the step. Called when Django starts."""
    register_step(Step(110, "judges", "Model judges", judges_status))

"""Send the requests of a plan to a judge that answers in text, within a budget."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from trackside.errors import InputError, first_line
from trackside.grading.journal import Journal
from trackside.grading.pairs import Pictures
from trackside.grading.questions import Question
from trackside.judging.asking import Ask, EndpointDown, EndpointError, Response
from trackside.judging.costs import Rates, amount
from trackside.judging.endpoints.breaker import Breaker
from trackside.judging.inputs import Gap
from trackside.judging.judge import Generator

TRIES = 3  # then a pair ends with its last fault


class Asking:
    """The requests that are waiting and under way; ``stopped`` says why no further ones are sent."""

    def __init__(
        self,
        questions: Iterable[Question],
        journal: Journal,
        pictures: Pictures,
        rates: Rates,
        budget: int | None,
        on_progress: Callable[[], None],
        breaker: Breaker,
    ) -> None:
        self._waiting = deque(questions)
        self._journal, self._pictures, self._rates = journal, pictures, rates
        self._budget, self._on_progress = budget, on_progress
        self._sent: dict[str, Question] = {}
        self._breaker = breaker
        self.stopped = ""
        self.gaps: dict[str, Gap] = {}

    def run(self, generator: Generator) -> None:
        """Ask until all pairs have ended, or something stops it. Raises judge-failed for its errors."""
        try:
            for responses in generator.responses(self.take):
                self.receive(responses)
        except EndpointDown as down:
            self.stopped = self.stopped or str(down)
        except InputError:
            raise
        except Exception as error:  # of a model's code: any
            raise InputError(
                f"the judge failed: {first_line(error)}. Answers so far are kept: correct that and run the "
                "command again.",
                code="judge-failed",
            ) from error
        finally:
            self._journal.save()

    def take(self, room: int) -> Sequence[Ask]:
        """Return at most ``room`` requests, each noted in the journal with its bound."""
        asks: list[Ask] = []
        while self._waiting and len(asks) < room and not self.stopped:
            question = self._waiting[0]
            if self._breaker.is_first(question.pair[0]):
                if self._sent or asks:
                    break
                room = 1
            if self._budget is not None and self._journal.spent + question.bound > self._budget:
                if not self._sent and not asks:
                    self.stopped = (
                        f"the budget of {amount(self._budget)} has no room for another request: "
                        f"{amount(self._journal.spent)} are spent, and it may cost {amount(question.bound)}"
                    )
                break
            self._waiting.popleft()
            shown = [self._pictures.shown(blob) for blob in question.blobs]
            if gaps := [picture for picture in shown if isinstance(picture, Gap)]:
                self.gaps[question.key] = gaps[0]
                continue
            images = iter(shown)
            parts = tuple(next(images) if text is None else text for text in question.texts)
            ask = Ask(f"ts-{question.key[:32]}", parts, question.pair[0])
            self._journal.send(question.key, question.bound)
            self._sent[ask.id] = question
            asks.append(ask)
        return asks

    def receive(self, responses: Sequence[Response]) -> None:
        """Note the responses; a pair whose request failed waits for another try."""
        for response in responses:
            question = self._sent.pop(response.id)
            cost = self._rates.charged(response, question.bound)
            fault = response.fault
            tries = self._journal.tries[question.key] + 1
            if (
                fault
                and fault is not EndpointError.REQUEST_REFUSED
                and (tries < TRIES or fault is EndpointError.NOT_ASKED)
            ):
                self._journal.retry(question.key, cost, fault)
                self._waiting.append(question)
            else:
                self._end(question, response, cost)
            if fault is not EndpointError.NOT_ASKED:
                self.stopped = self.stopped or self._breaker.count(response, question.pair[0])
            if cost > question.bound and self._budget is not None and not self.stopped:
                self.stopped = (
                    f"an answer cost {amount(cost)}, above its bound of {amount(question.bound)}: raise "
                    "--image-tokens, or max_tokens in --options if the model thinks"
                )
        if responses:
            self._on_progress()

    def _end(self, question: Question, response: Response, cost: int) -> None:
        usage, reading = response.usage, response.reading
        self._journal.end(
            question.key,
            str(reading.outcome if reading else response.fault),
            cost=cost,
            score=reading.score if reading else None,
            expected=response.expected_score,
            answer=response.text,
            finish_reason=response.finish_reason,
            detail=response.detail,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            thought_tokens=usage.thought_tokens if usage else None,
            latency_ms=response.latency_ms,
        )

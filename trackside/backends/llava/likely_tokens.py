"""The most likely tokens of each step of an answer, for expected grades."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


class TopTokens:
    """Keeps the ``count`` most likely tokens of each step of a batch, while the model generates."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._steps: list[tuple[torch.Tensor, torch.Tensor]] = []

    def __call__(self, _: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """Keep a step, and change nothing; transformers calls it with the scores (n, vocabulary)."""
        values, tokens = scores.float().log_softmax(dim=-1).topk(min(self.count, scores.shape[-1]))
        self._steps.append((values.cpu(), tokens.cpu()))
        return scores

    def of_row(self, row: int, tokenizer: Any) -> dict[str, list[Any]]:
        """Return the likely tokens of one answer, step by step, as the protocol of OpenAI lists them."""
        return {
            "content": [
                [
                    {"token": tokenizer.decode([token]), "logprob": value}
                    for value, token in zip(values[row].tolist(), tokens[row].tolist(), strict=True)
                ]
                for values, tokens in self._steps
            ]
        }

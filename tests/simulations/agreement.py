"""Topics whose confusion of people's grades and a judge's differs, for the coverage of agreement."""

from collections.abc import Callable

import numpy as np

from trackside.arrays import Ints

Draw = Callable[[np.random.Generator, int], Ints]

SCALE = (0, 1, 2, 3)


def synthetic(accuracy: float, shift: float, alike: float, shares: tuple[float, ...], items: int) -> Draw:
    """Topics of about `items` graded pairs; people's shares of grades and the judge's errors differ by topic.

    `shift` is the judge's leniency in grades, `alike` how little the errors differ between topics.
    """
    grades = np.arange(len(shares))
    confusion = np.exp(-2 * accuracy * np.abs(grades[:, None] + shift - grades))
    confusion /= confusion.sum(axis=1, keepdims=True)

    def draw(random: np.random.Generator, n: int) -> Ints:
        sizes = random.negative_binomial(4, 4 / (4 + items), n) + 10
        rows = random.multinomial(sizes, random.dirichlet(np.array(shares) * 4, n))
        errors = np.stack([random.dirichlet(row * alike, n) for row in confusion], axis=1)
        return random.multinomial(rows, errors).astype(np.int64)

    return draw


WORLDS: dict[str, Draw] = {
    "lenient judge": synthetic(0.6, 0.4, 8, (0.7, 0.15, 0.1, 0.05), 100),
    "good judge": synthetic(1.2, 0.1, 20, (0.6, 0.25, 0.1, 0.05), 50),
    "noisy judge": synthetic(0.2, 0.0, 8, (0.5, 0.2, 0.2, 0.1), 100),
    "harsh judge": synthetic(0.9, -0.6, 10, (0.4, 0.25, 0.2, 0.15), 60),
}

"""Sizes of a report's tables and figures, as the browser shows them."""

from __future__ import annotations

MODEL_HEIGHT = 1350  # the model page with five judges has 1,332 px

WIDE_TABLES = """() => [...document.querySelectorAll(".scroll table")]
  .filter(each => each.checkVisibility() && each.scrollWidth > each.parentElement.clientWidth)
  .map(each => each.parentElement.getAttribute("aria-label"))"""

# Whether the reader sees the whole name of the section that is shown in the list of all.
SEES_CURRENT = """() => {
  const own = document.querySelector(".side [aria-current]").getBoundingClientRect();
  return own.left >= 0 && own.right <= innerWidth
    && document.elementFromPoint((own.left + own.right) / 2, own.top + 4).closest("[aria-current]") !== null;
}"""

FIGURES = """() => [...document.querySelectorAll(".figs svg")].map(svg => {
  const box = svg.getBoundingClientRect();
  return [Math.round(box.top), Math.round(box.height), Math.round(box.width)];
})"""

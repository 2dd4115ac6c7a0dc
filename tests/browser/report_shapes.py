"""Sizes of a report's tables and figures, as the browser shows them."""

MOST_HEIGHT = 1100  # of the first page with six judges on 1,280 px
MOST_MARKS = 48  # in 400 px of a figure's width

# Tables that scroll sideways although their rows are cards.
WIDE_CARDS = """() => [...document.querySelectorAll(".scroll table.cards")]
  .filter(each => each.checkVisibility() && each.scrollWidth > each.parentElement.clientWidth)
  .map(each => each.parentElement.getAttribute("aria-label"))"""

# Whiskers of the table of uses that reach into the next cell.
WIDE_WHISKERS = """() => [...document.querySelectorAll("#judges .wk")].filter(each => each.checkVisibility()
  && each.getBoundingClientRect().right > each.closest("td").getBoundingClientRect().right + 1).length"""

# Tables that scroll sideways; a report's tables of many columns may.
WIDE_TABLES = """() => [...document.querySelectorAll(".scroll table:not(.many)")]
  .filter(each => each.checkVisibility() && each.scrollWidth > each.parentElement.clientWidth)
  .map(each => each.parentElement.getAttribute("aria-label"))"""

# The marks of each panel of the first page.
MARKS = """() => [...document.querySelectorAll(".panels svg")]
  .map(svg => svg.querySelectorAll(".sf, .sh").length)"""

# Whether the reader sees the whole name of the section that is shown in the list of all.
SEES_CURRENT = """() => {
  const own = document.querySelector(".side [aria-current]").getBoundingClientRect();
  return own.left >= 0 && own.right <= innerWidth
    && document.elementFromPoint((own.left + own.right) / 2, own.top + 4).closest("[aria-current]") !== null;
}"""

# Texts of figures that reach out of theirs by more than a pixel of rounding, measured without their halos.
OUTSIDE = """() => [...document.querySelectorAll("svg.chart")].flatMap(chart => {
  const box = chart.getBoundingClientRect();
  const texts = [...chart.querySelectorAll("text")].filter(text => text.getBoundingClientRect().width);
  return texts.filter(text => {
    const { x, y, width, height } = text.getBBox(), matrix = text.getScreenCTM();
    const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]]
      .map(([left, top]) => new DOMPoint(left, top).matrixTransform(matrix));
    return corners.some(corner => corner.x < box.left - 1.01 || corner.x > box.right + 1.01
      || corner.y < box.top - 3 || corner.y > box.bottom + 3);
  }).map(text => `${chart.querySelector("title").textContent}: ${text.textContent}`);
})"""

FIGURES = """() => [...document.querySelectorAll(".panels svg")].map(svg => {
  const box = svg.getBoundingClientRect();
  return [Math.round(box.top), Math.round(box.height), Math.round(box.width)];
})"""

// The hint beside the buttons, and the fit of their row. Small screens show urgent hints only.

const BUTTONS = ":is(button, .btn):not(:popover-open *, .pop > div *)";

export function hint(words, { isUrgent = false } = {}) {
  const line = document.getElementById("hint");
  line.textContent = words;
  line.classList.toggle("urgent", isUrgent);
  fitRow();
}

// If the words of a language need two rows, hide the keys; the help lists them.
function fitRow() {
  const row = document.querySelector(".acts > div");
  row.classList.remove("crowded");
  const shown = [...row.querySelectorAll(BUTTONS)].filter((each) => each.checkVisibility());
  const boxes = shown.map((each) => each.getBoundingClientRect());
  row.classList.toggle(
    "crowded",
    boxes.some((box) => box.top > boxes[0].bottom),
  );
}

addEventListener("resize", fitRow);

// Shows the assessor's own judgments: pressed buttons, undo, progress and distribution.

import { inWords, isNominal, markOf } from "./marks.js";
import { say } from "./texts.js";

const BAR = 100; // width of the whole bar, and the gap between its parts, as make_distribution has them
const GAP = 0.4;

const byId = (id) => document.getElementById(id);

/** Paints everything that follows from the history at a place; `free` items may be leased later. */
export function paintOwn(history, place, { scale, nominal, free = 0 }) {
  const marks = history.current();
  const mark = marks.get(place)?.mark;
  for (const button of document.querySelectorAll("[name=grade], [name=reason]")) {
    button.setAttribute("aria-pressed", markOf({ [button.name]: button.value }) === mark);
  }
  const last = history.last();
  for (const each of document.querySelectorAll("#undo-last, [data-step=undo-last]")) each.disabled = !last;
  const undo = byId("undo-last");
  if (undo) {
    const words = (mark) => inWords(mark, nominal, say("no_grade"));
    undo.firstElementChild.textContent = last ? say("undo_last", { mark: words(last.mark) }) : say("undo");
  }
  const { done, total } = history.progress;
  Object.assign(byId("progress"), { max: total + free || 1, value: done });
  paintDistribution(
    [...marks.values()].map((judgment) => judgment.mark),
    scale,
    nominal,
  );
}

/** Paints the place and the number of items. */
export function paintPlace(place, total) {
  byId("place").textContent = say("place", { place, total });
  document.title = `${say("title", { place, total })} · Trackside`;
}

/** The same arithmetic as make_distribution on the server. */
function paintDistribution(marks, scale, nominal) {
  const own = document.querySelector(".own");
  if (!own) return;
  const bars = own.querySelectorAll(".spark rect");
  const counts = own.querySelectorAll("li b");
  let from = 0;
  const keyOf = (mark) => (typeof mark === "number" ? mark : nominal && isNominal(mark) ? nominal : null);
  [...scale, ...(nominal ? [nominal] : []), null].forEach((key, index) => {
    const count = marks.filter((mark) => keyOf(mark) === key).length;
    const width = (BAR * count) / (marks.length || 1);
    bars[index].setAttribute("x", from);
    bars[index].setAttribute("width", Math.max(width - GAP, 0));
    counts[index].textContent = count;
    from += width;
  });
  const words = [...own.querySelectorAll("li")].map((line) => line.textContent.trim()).join(", ");
  own.querySelector(".spark").setAttribute("aria-label", words);
}

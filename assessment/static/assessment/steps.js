// The action of each key and each button of the screen.

import { openHelp } from "./help.js";
import { closeAll, toggle } from "./pops.js";

const click = (id) => () => document.getElementById(id)?.click(); // not every surface has each

/** The steps that also work while the topic's picture is open. */
export const pictureSteps = ({ zoom, topicPicture, nextPicture }) => ({
  KeyJ: nextPicture,
  KeyP: () => topicPicture.toggle(),
  KeyE: () => zoom().toggle(),
  KeyN: () => zoom().trueSize(),
  "+": () => zoom().step(1),
  "=": () => zoom().step(1),
  "-": () => zoom().step(-1),
  ArrowLeft: () => zoom().pan(-1, 0),
  ArrowRight: () => zoom().pan(1, 0),
  ArrowUp: () => zoom().pan(0, -1),
  ArrowDown: () => zoom().pan(0, 1),
});

/** Gives the answer beside the grades by `judge(name, value, event)`, or opens the list of its reasons. */
export function answerNominal(event, judge) {
  const part = document.getElementById("nominal");
  if (!part) return false;
  if (part.matches("details")) return toggle("nominal", "button");
  judge(part.name, part.value, event);
}

/** Steps by the usual place of a key, or by its character if the place varies; `does` has the screen's own. */
export const keySteps = (does) => ({
  KeyZ: does.undo,
  KeyU: does.undo,
  KeyQ: click("back"),
  KeyT: click("list"),
  KeyL: click("later"),
  KeyX: does.cannotJudge,
  KeyH: does.answerNominal,
  KeyC: () => toggle("remark", "textarea"),
  KeyV: click("flag"),
  KeyK: openHelp,
  "?": openHelp,
  KeyG: () => toggle("caption"),
  KeyF: () => toggle("full-text"),
  KeyB: () => toggle("instructions"),
  ...pictureSteps(does),
  KeyR: does.reply,
  KeyW: does.markTerms,
  KeyM: () => toggle("words", "input"),
  Escape: closeAll,
});

/** Steps by the `data-step` of a button or link, or by its id. */
export const clickSteps = (does) => ({
  "undo-last": does.undo,
  back: does.goBack,
  later: does.goOn,
  next: does.goOn,
  zoom: () => does.zoom().toggle(),
  "next-picture": does.nextPicture,
  "topic-zoom": () => does.topicPicture.toggle(),
  terms: does.markTerms,
  keys: openHelp,
  "save-broken": does.cannotJudge,
  retry: does.retry,
});

/** Runs the steps of clicked buttons and links; those with a grade or a reason call `judge(name, value)`. */
export function listenForClicks(steps, judge) {
  document.addEventListener("click", (event) => {
    const target = event.target.closest("button, a");
    const isMark = target?.matches("[name=grade], [name=reason]");
    const step = isMark ? () => judge(target.name, target.value, event) : steps[target?.dataset.step ?? target?.id];
    if (!step || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (event.detail <= 1) step(); // ignore the second half of a double click
  });
}

// What each key and each button of the screen does.

import { openHelp } from "./help.js";
import { closeAll, toggle } from "./pops.js";

const click = (id) => () => document.getElementById(id).click();

/** By the usual place of a key, or by its character where that has no place; `does` has the screen's steps. */
export const keySteps = (does) => ({
  KeyZ: does.undo,
  KeyU: does.undo,
  KeyQ: click("back"),
  KeyT: click("list"),
  KeyX: does.cannotJudge,
  KeyC: () => toggle("remark", "textarea"),
  KeyV: click("flag"),
  KeyK: openHelp,
  "?": openHelp,
  KeyG: () => toggle("caption"),
  KeyF: () => toggle("full-text"),
  KeyB: () => toggle("instructions"),
  KeyE: () => does.zoom.toggle(),
  KeyN: () => does.zoom.trueSize(),
  "+": () => does.zoom.step(1),
  "=": () => does.zoom.step(1),
  "-": () => does.zoom.step(-1),
  ArrowLeft: () => does.zoom.pan(-1, 0),
  ArrowRight: () => does.zoom.pan(1, 0),
  ArrowUp: () => does.zoom.pan(0, -1),
  ArrowDown: () => does.zoom.pan(0, 1),
  KeyR: does.reply,
  KeyW: does.markTerms,
  Escape: closeAll,
});

/** By the `data-step` of a button or link, or by its id. */
export const clickSteps = (does) => ({
  "undo-last": does.undo,
  back: does.goBack,
  zoom: () => does.zoom.toggle(),
  terms: does.markTerms,
  keys: openHelp,
  "save-broken": does.cannotJudge,
  retry: does.retry,
});

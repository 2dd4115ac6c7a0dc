// Decodes an item's picture. A panel replaces a picture that cannot be shown.

import { layOutLong, layOutShort } from "./long_picture.js";
import { decode, forget, isDecoded, isSeen } from "./sight.js";

const RETRY = 3_000; // ms
const BUSY = [429, 502, 503, 504]; // statuses that say nothing about the picture

/** The pictures of the stage's item, in their order; the strip beside a long one is a copy. */
const picturesOf = (stage) =>
  [...stage.querySelectorAll("img:not(.strip img)")].sort((one, other) => one.dataset.number - other.dataset.number);

/** The hash in the address of the stage's first picture; empty for a text. */
export const hashOf = (stage) => picturesOf(stage)[0]?.src.match(/[0-9a-f]{64}/)[0] ?? "";

/** The hash of the item that a stage or a cell shows, and how much of it; nothing on content of an earlier release. */
export const seenOn = ({ dataset: { shown, seen } }) => (shown ? { shown_sha256: shown, seen } : {});

/** Whether the stage has a text, or pictures of which the first is decoded and the shown one is large enough to see. */
export function isInSight(stage) {
  const pictures = picturesOf(stage);
  if (!pictures.length) return true;
  const shown = pictures.find((image) => !image.hidden);
  return !isBroken(stage) && isDecoded(pictures[0]) && shown !== undefined && isSeen(shown);
}

/** Whether the stage's first picture is decoded, as seen on the page of its own. */
export const isLoaded = (stage) => !isBroken(stage) && picturesOf(stage).slice(0, 1).every(isDecoded);

/** Shows the next picture of the stage's item, after the last one the first; returns its number, or false. */
export function nextPicture(stage) {
  layOutShort(stage);
  const pictures = picturesOf(stage);
  const shown = pictures.findIndex((image) => !image.hidden);
  if (shown < 0 || pictures.length < 2) return false;
  const next = (shown + 1) % pictures.length;
  [pictures[shown].hidden, pictures[next].hidden] = [true, false];
  layOutLong(stage);
  return next + 1;
}

/** Whether the stage has a panel in place of its picture. */
export const isBroken = (stage) => stage.querySelector(".broken") !== null;

const copyOfPanel = () => document.getElementById("broken").content.cloneNode(true);

/**
 * Decodes the stage's pictures; if one cannot be shown, all are hidden behind `makePanel()`, by default a copy of
 * `#broken`.
 *
 * Rejects while the server does not answer or is busy.
 */
export async function settlePicture(stage, makePanel = copyOfPanel) {
  for (const image of picturesOf(stage)) {
    if (await decode(image)) continue;
    if ((await isAnswered(image.src)) && (await decode(reload(image)))) continue;
    for (const picture of picturesOf(stage)) picture.hidden = true;
    if (!isBroken(stage)) stage.append(makePanel());
    return;
  }
}

/** Retries settlePicture until the server answers; `onSettled(stage)` is called after each attempt. */
export async function settleInTime(stage, onSettled, makePanel = copyOfPanel) {
  try {
    await settlePicture(stage, makePanel);
  } catch {
    setTimeout(() => settleInTime(stage, onSettled, makePanel), RETRY);
  }
  onSettled(stage);
}

/** Loads the pictures again and removes the panel if that succeeds. */
export async function retryPicture(stage) {
  for (const image of picturesOf(stage)) {
    await isAnswered(image.src);
    reload(image);
    if (!(await decode(image))) return;
  }
  stage.querySelector(".broken").remove();
  picturesOf(stage)[0].hidden = false;
}

/** Whether the server has the picture. Rejects if it does not answer. */
async function isAnswered(address) {
  const { ok, status } = await fetch(address, { redirect: "error", cache: "reload" });
  if (BUSY.includes(status)) throw new Error(`picture: ${status}`);
  return ok;
}

function reload(image) {
  forget(image);
  image.src = image.getAttribute("src");
  return image;
}

// Decodes an item's picture. A panel replaces a picture that cannot be shown.

const RETRY = 3_000; // ms
const BUSY = [429, 502, 503, 504]; // statuses that say nothing about the picture

/** The hash in the address of the stage's picture; empty for a text. */
export const hashOf = (stage) => stage.querySelector("img")?.src.match(/[0-9a-f]{64}/)[0] ?? "";

/** Whether the stage has a panel in place of its picture. */
export const isBroken = (stage) => stage.querySelector(".broken") !== null;

const copyOfPanel = () => document.getElementById("broken").content.cloneNode(true);

/**
 * Decodes the stage's picture; one that cannot be shown is hidden behind `makePanel()`, by default a copy of `#broken`.
 *
 * Rejects while the server does not answer or is busy.
 */
export async function settlePicture(stage, makePanel = copyOfPanel) {
  const image = stage.querySelector("img");
  if (!image || (await isDecoded(image))) return;
  if ((await isAnswered(image.src)) && (await isDecoded(reload(image)))) return;
  image.hidden = true;
  if (!isBroken(stage)) stage.append(makePanel());
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

/** Loads the picture again and removes the panel if that succeeds. */
export async function retryPicture(stage) {
  const image = stage.querySelector("img");
  await isAnswered(image.src);
  reload(image);
  if (!(await isDecoded(image))) return;
  stage.querySelector(".broken").remove();
  image.hidden = false;
}

const isDecoded = (image) =>
  image.decode().then(
    () => true,
    () => false,
  );

/** Whether the server has the picture. Rejects if it does not answer. */
async function isAnswered(address) {
  const { ok, status } = await fetch(address, { redirect: "error", cache: "reload" });
  if (BUSY.includes(status)) throw new Error(`picture: ${status}`);
  return ok;
}

function reload(image) {
  image.src = image.getAttribute("src");
  return image;
}

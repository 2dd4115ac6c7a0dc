// Whether a picture can be seen where it is: decoded, large enough, and not of one shade.

const LEAST = 40; // CSS px of the shorter side on the screen
const TINY = 32; // px of the shorter side of the picture itself
const FLAT = 16; // levels of 255 between the darkest and the lightest twentieth
const SAMPLE = 32; // px of the side of the copy whose levels are read

const decoded = new WeakSet(); // pictures
const flat = new WeakMap(); // picture -> whether it is of one shade

/** Decodes a picture; resolves to whether it could be decoded. */
export const decode = (image) =>
  image.decode().then(
    () => {
      decoded.add(image);
      return true;
    },
    () => false,
  );

/** Notes that a picture is loaded again. */
export const forget = (image) => decoded.delete(image);

export const isDecoded = (image) => decoded.has(image);

const sideOf = (image) => Math.min(image.getAttribute("width"), image.getAttribute("height"));

/** Whether a picture is decoded and drawn large enough to see; one that is smaller itself only as large as it is. */
export function isSeen(image) {
  const { width, height } = image.getBoundingClientRect();
  const scale = Math.min(width / image.getAttribute("width"), height / image.getAttribute("height"));
  return isDecoded(image) && Math.ceil(sideOf(image) * scale) >= Math.min(LEAST, sideOf(image));
}

/** Whether a decoded picture is so small, or of so little contrast, that a glance can miss what it shows. */
export function isToOpen(image) {
  if (!isDecoded(image)) return false;
  if (!flat.has(image)) flat.set(image, isFlat(image));
  return sideOf(image) < TINY || flat.get(image);
}

function isFlat(image) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SAMPLE, SAMPLE];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, SAMPLE, SAMPLE);
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE);
  const levels = Array.from({ length: SAMPLE * SAMPLE }, (_, index) => levelOf(data, 4 * index)).sort((a, b) => a - b);
  const edge = Math.floor(levels.length / 20);
  return levels.at(-1 - edge) - levels[edge] < FLAT;
}

const levelOf = (data, at) => 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2];

// Layout of pictures at least four times as long as wide: shown whole, they would be too small to judge.

import { say } from "./texts.js";

const LONG = 4; // times the shorter side
const LEAST = 64; // px of the longer side

/** Puts a long picture in an element that scrolls, beside a strip that shows all of it. */
export function layOutLong(stage) {
  const image = stage.querySelector("img:not([hidden])");
  if (!image || stage.classList.contains("long")) return;
  const [width, height] = [Number(image.getAttribute("width")), Number(image.getAttribute("height"))];
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  if (long < LEAST || long < LONG * short) return;
  stage.classList.add("long", height > width ? "tall" : "flat");
  const part = document.createElement("div");
  part.className = "part";
  part.tabIndex = 0;
  part.role = "region";
  part.ariaLabel = say("part");
  stage.append(part, stripOf(image));
  part.append(image);
}

/** Takes the layout of a long picture away. */
export function layOutShort(stage) {
  const part = stage.querySelector(".part");
  if (!part) return;
  stage.prepend(...part.children);
  part.remove();
  stage.querySelector(".strip").remove();
  stage.classList.remove("long", "tall", "flat");
}

function stripOf(image) {
  const strip = document.createElement("div");
  strip.className = "strip";
  const whole = image.cloneNode();
  whole.alt = "";
  const frame = document.createElement("div");
  frame.className = "frame";
  strip.append(whole, frame);
  return strip;
}

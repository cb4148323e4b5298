import { harmless } from "scened/words";

/**
 * An element with attributes and content. Text is made harmless and is never markup.
 * @param {string} tag the name, with classes after dots
 */
export function element(tag, attributes = {}, ...content) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, harmless(value));
  }
  made.append(...content.flat().filter((one) => one !== null && one !== undefined && one !== false)
    .map((one) => (one instanceof Node ? one : harmless(one))));
  return made;
}

/**
 * Draws anew what is in an element, and keeps the keyboard there: on what has the same `data-act`; if that is gone, on what is now where it was; if
 * nothing is, on `otherwise`.
 */
export function redraw(view, draw, otherwise = null) {
  const acts = () => [...view.querySelectorAll("[data-act]")];
  const held = view.contains(document.activeElement) ? document.activeElement : null;
  const number = held ? acts().indexOf(held) : -1;
  draw();
  if (!held || view.contains(document.activeElement)) return;
  const now = acts().filter((one) => one.checkVisibility());
  (now.find((one) => one.dataset.act === held.dataset.act) ?? now[Math.min(number, now.length - 1)] ?? otherwise)?.focus();
}

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

import { element } from "scened/dom";
import { integer, isInteger } from "scened/integers";
import { isExact, parse } from "scened/scan";

/** A button that does something. */
export const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

/** A control with its name. */
export const labelled = (name, control) => element("label.field", {}, element("span", {}, name), control);

/** One of some names; `any` is what stands for none of them. */
export const choice = (label, names, any) => element("select", { "aria-label": label }, any !== undefined && element("option", { value: "" }, any), names.map((one) => element("option", { value: one }, one)));

/** The value of a text that may be JSON: what is none is a text itself, and so is all of a fact that is a text. */
export function factValue(text, type) {
  if (type === "string") return text;
  try {
    return sendable(parse(text));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return text;
  }
}

/** The number that a text is. */
export const number = (text) => sendable(isInteger(text) ? integer(text) : Number(text));

/** The value itself; throws if it has a number that is too large, or an integer that this browser would send as another one. */
export function sendable(value) {
  if (typeof value === "number" && !Number.isFinite(value)) throw new RangeError(Number.isNaN(value) ? "This is no number." : "No number can be as large as this.");
  if (!isExact && (typeof value === "bigint" || (Number.isInteger(value) && !Number.isSafeInteger(value)))) throw new RangeError(`This browser keeps no integer beyond ${Number.MAX_SAFE_INTEGER} exactly; use a command.`);
  if (value !== null && typeof value === "object") Object.values(value).forEach(sendable);
  return value;
}

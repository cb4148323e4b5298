import { element } from "scened/dom";

/** A button that does something. */
export const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);

/** A control with its name. */
export const labelled = (name, control) => element("label.field", {}, element("span", {}, name), control);

/** One of some names; `any` is what stands for none of them. */
export const choice = (label, names, any) => element("select", { "aria-label": label }, any !== undefined && element("option", { value: "" }, any), names.map((one) => element("option", { value: one }, one)));

import { element } from "scened/dom";
import { parse } from "scened/scan";
import { choice, labelled, number, sendable } from "scened/widgets";
import { harmless, visible } from "scened/words";

/** What is shown first of a call, even if it may be left out. */
const first = ["url", "scene", "user", "values", "parameters"];

/** Names that are offered where one is typed. */
const options = (names) => names.map((name) => element("option", { value: name }));
const nameList = (id, names) => element("datalist", { id }, options(names));

/** What nothing undoes. */
export const asked = {
  "Control.Reset": "Start over? All windows go, nobody is signed in, and the records so far are gone from the daemon.",
  "Manager.Drain": "End the daemon?",
};

/** What the daemon's interface says of a parameter that is left out, in words for who fills in a form. */
export function forForms(documentation) {
  const lines = documentation.replaceAll("\n", " ");
  return visible(lines.replace(/([;.]|^) ?(?:0 or )?null(:| for| lets| leaves| means) ?/g, (_, before, verb) => {
    const start = before === ";" ? "; left empty" : `${before}${before && " "}Left empty`;
    return { ":": `${start}: `, " for": `${start}: `, " lets": `${start}, it lets `, " leaves": `${start}, it leaves `, " means": `${start}: ` }[verb];
  }).replace(/left empty, it lets the daemon choose/gi, (words) => `${words[0]}eave it empty, and the daemon chooses`));
}

/** A form for any method, made of what the daemon says of it. */
export class MethodForm {
  constructor(acts) {
    this.acts = acts;
    const names = [...acts.methods.keys()].map((name) => name.slice("io.scened.".length)).filter((name) => /^(Events|Session|Scenes|Control|Manager)\./.test(name) && !/\.(Get\w*|List|Await)$/.test(name));
    this.isEmpty = names.length === 0;
    this.method = choice("method", names);
    this.method.addEventListener("change", () => this.fill(this.method.value, {}));
    const samples = acts.about.samples.filter((sample) => names.includes(sample.method));
    this.sample = choice("sample of a call", samples.map((sample) => sample.name), "begin with a sample …");
    this.sample.addEventListener("change", () => {
      const sample = samples.find(({ name }) => name === this.sample.value);
      if (sample) this.fill(sample.method, sample.parameters);
    });
    this.fields = element("div.fields");
    this.said = element("p.faint");
    this.problem = element("p.problem", { role: "alert" });
    this.view = element("form.act", { "aria-label": "a call", onsubmit: (event) => { event.preventDefault(); this.send(); } },
      element("div.tools", {}, labelled("call", this.method), samples.length > 0 && this.sample),
      this.said, this.fields, this.problem, element("button", { type: "submit", "aria-label": "send the call" }, "send"),
      ["routes", "flows", "intents", "facts"].map((name) => nameList(name, [])), this.windows = nameList("windows", []));
    this.offerNames();
    if (!this.isEmpty) this.fill(names[0], {});
  }

  /** Shows a method with these values. */
  fill(method, parameters) {
    this.method.value = method;
    const described = this.acts.methods.get(`io.scened.${method}`);
    this.said.textContent = forForms(described.documentation);
    this.problem.textContent = "";
    this.inputs = described.parameters.filter(({ name }) => name !== "wait").map((described) => {
      // Some may be left out by the form of the call, and are needed all the same.
      const parameter = { ...described, optional: described.optional && !/^The scene[^.]*; required/.test(described.documentation) };
      return { parameter, input: this.input(parameter, parameters[parameter.name], method) };
    });
    // What has a value or needs one comes first; the rest is there for whoever looks for it.
    const isFirst = ({ parameter }) => !parameter.optional || parameters[parameter.name] !== undefined || first.includes(parameter.name);
    const line = ({ parameter, input }, number) => {
      const id = `about-${number}-${parameter.name}`;
      input.setAttribute("aria-describedby", id);
      input.setAttribute("aria-label", `${parameter.name} of ${method}`);
      if (!parameter.optional) input.setAttribute("aria-required", "true");
      return element("div.parameter-line", {}, labelled(`${parameter.name}${parameter.optional ? "" : " (needed)"}`, input), MethodForm.about(id, parameter.documentation));
    };
    const rest = this.inputs.filter((one) => !isFirst(one));
    this.fields.replaceChildren(...this.inputs.filter(isFirst).map(line),
      ...(rest.length === 0 ? [] : [element("details", {}, element("summary", {}, "more parameters"), rest.map((one, number) => line(one, number + 100)))]));
  }

  static about(id, documentation) {
    const about = element("small.faint", { id });
    about.textContent = forForms(documentation);
    return about;
  }

  /** Names that are offered where one is asked for; which, depends on the method. */
  input({ name, type, choices }, given, method) {
    const text = given === undefined ? "" : typeof given === "string" ? given : type === "texts" ? given.join("\n") : JSON.stringify(given, null, 2);
    if (type === "choice" || type === "truth") {
      const select = choice(name, choices ?? ["true", "false"], "not given");
      select.value = text;
      return select;
    }
    if (type === "json" || type === "texts") {
      const area = element("textarea", { rows: String(Math.min(Math.max(text.split("\n").length, 2), 12)), spellcheck: "false", placeholder: type === "json" ? "JSON" : "one a line" });
      area.value = text;
      return area;
    }
    const input = element("input", { type: type === "number" ? "number" : "text", spellcheck: "false", autocomplete: "off", list: { url: "routes", scene: "windows", flow: "flows", name: method === "Events.SendIntent" ? "intents" : null }[name] ?? null });
    input.value = text;
    return input;
  }

  /** Offers what the app declares; the manifest in force may be another than before. */
  offerNames() {
    const { about } = this.acts;
    for (const [id, names] of Object.entries({ routes: about.routes, flows: about.flows, intents: about.intents, facts: Object.keys(about.facts) })) {
      this.view.querySelector(`#${id}`).replaceChildren(...options(names));
    }
  }

  /** Offers these windows. */
  offer(windows) {
    if (windows.length !== this.windows.children.length) this.windows.replaceChildren(...options(windows));
  }

  /** The parameters as they stand in the form; throws what is wrong with them. */
  parameters() {
    const all = {};
    for (const { parameter: { name, type, optional }, input } of this.inputs) {
      const text = input.value;
      if (text === "") {
        if (!optional) throw new Error(`${name}: a value is needed.`);
        continue;
      }
      if (type === "truth") all[name] = text === "true";
      else if (type === "number") all[name] = number(text);
      else if (type === "texts") all[name] = text.split("\n").filter((line) => line !== "");
      else if (type === "json") {
        try {
          all[name] = sendable(parse(text));
        } catch (error) {
          throw new Error(error instanceof RangeError ? `${name}: ${error.message}` : `${name}: this is no JSON: ${error.message}`);
        }
      } else all[name] = text;
    }
    return all;
  }

  async send() {
    let parameters;
    try {
      parameters = this.parameters();
    } catch (error) {
      this.problem.textContent = harmless(error.message);
      return;
    }
    this.problem.textContent = "";
    const method = this.method.value;
    if (asked[method] && !confirm(asked[method])) return;
    const { inputs } = this;
    const answer = await this.acts.act(method, parameters);
    // What is asked meanwhile has nothing to do with it.
    if (this.inputs === inputs) this.problem.textContent = harmless(answer?.message ?? "");
  }
}

import { element, redraw } from "scened/dom";
import { count, counted } from "scened/format";
import { button } from "scened/widgets";

/** As many windows as one can look at. */
const most = 12;

/** Which of many windows are drawn: those that are chosen by name; as long as none is, those in which something happened last. */
export class ChosenWindows {
  /** @param {() => void} changed told when somebody chooses otherwise */
  constructor(changed, of = "") {
    this.changed = changed;
    this.of = of;
    this.kept = new Set();
    /** Those drawn by themselves, the one that was last needed at the end. */
    this.recent = [];
    this.names = [];
    this.filter = element("input", { type: "search", "aria-label": `windows whose name has${of}`, placeholder: "name", maxlength: "200", oninput: () => this.choose() });
    this.said = element("span");
    this.boxes = element("div.boxes", { onfocusin: ({ target }) => this.stop(target), onkeydown: (event) => this.step(event) });
    this.none = button("choose none", () => {
      this.kept.clear();
      this.choose();
    }, { "aria-label": `choose no window${of}` });
    this.view = element("details.chosen", { hidden: true }, element("summary", {}, this.said), element("div.tools", {}, this.filter, this.none),
      element("fieldset", {}, element("legend.faint", {}, "Tick a window to have it always drawn", element("span.unseen", {}, of), "; arrow keys go from one to the next."), this.boxes));
    this.view.open = true;
  }

  /** However many windows there are, Tab stops at one of them. */
  stop(box) {
    this.boxes.querySelector("[tabindex='0']")?.setAttribute("tabindex", "-1");
    box?.setAttribute("tabindex", "0");
  }

  /** Goes from window to window. */
  step(event) {
    const all = [...this.boxes.querySelectorAll("input")];
    const at = all.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[Math.min(Math.max(to, 0), all.length - 1)].focus();
  }

  /** The names that are looked for. */
  get matching() {
    const text = this.filter.value.toLowerCase();
    return this.names.filter((name) => name.toLowerCase().includes(text));
  }

  choose() {
    this.offered = undefined;
    this.changed();
  }

  /**
   * The names of those to be drawn, in the order of all.
   * @param {{name: string, since: number | undefined}[]} windows all there are, and since when each is what it is
   * @param {string | undefined} needed the one that the record shown is about
   */
  among(windows, needed) {
    const names = windows.map(({ name }) => name);
    this.view.hidden = names.length <= most;
    if (this.view.hidden) return new Set(names);
    this.names = names;
    const drawn = this.drawn(windows, needed);
    this.offer();
    this.said.textContent = `${count(drawn.size)} of ${counted(names.length, "window")} ${drawn.size === 1 ? "is" : "are"} drawn`;
    return drawn;
  }

  drawn(windows, needed) {
    if (this.kept.size > 0) return new Set(this.names.filter((name) => this.kept.has(name)));
    const matching = new Set(this.matching);
    this.recent = this.recent.filter((name) => matching.has(name));
    if (matching.has(needed)) this.recent = [...this.recent.filter((name) => name !== needed), needed];
    const free = most - this.recent.length;
    if (free > 0) {
      const others = windows.filter(({ name }) => matching.has(name) && !this.recent.includes(name)).sort((one, other) => (other.since ?? -1) - (one.since ?? -1));
      this.recent = [...others.slice(0, free).reverse().map(({ name }) => name), ...this.recent];
    }
    this.recent = this.recent.slice(-most);
    return new Set(this.names.filter((name) => this.recent.includes(name)));
  }

  /** A box for each window of such a name. */
  offer() {
    const { matching } = this;
    const text = matching.join("\n");
    if (text === this.offered) return;
    this.offered = text;
    const stopped = this.boxes.querySelector("[tabindex='0']")?.dataset.act;
    redraw(this.boxes, () => this.boxes.replaceChildren(...matching.map((name) => this.box(name))), this.filter);
    const all = [...this.boxes.querySelectorAll("input")];
    this.stop(all.find((box) => box.dataset.act === stopped) ?? all[0]);
  }

  box(name) {
    const box = element("input", {
      type: "checkbox", tabindex: "-1", checked: this.kept.has(name), "aria-label": `always draw window ${name}${this.of}`,
      onchange: ({ target }) => {
        if (target.checked) this.kept.add(name);
        else this.kept.delete(name);
        this.changed();
      },
    });
    // The name as it is: what is shown of it may be shorter.
    box.dataset.act = name;
    return element("label", {}, box, ` ${name}`);
  }
}

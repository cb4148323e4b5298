import { Acts } from "scened/acts";
import { announce } from "scened/announce";
import { ActPanel } from "scened/controls";
import { element, redraw } from "scened/dom";
import { count, counted } from "scened/format";
import { Heart } from "scened/heart";
import { HistoryReader } from "scened/reader";
import { said, Server } from "scened/stream";
import { follow, HistoryPage, keys, name, show } from "scened/viewer";

/** As many records as a page keeps, and as many bytes of them: a daemon under load makes tens of thousands a second. */
const mostRecords = 500_000;
const mostBytes = 256 << 20;

/** Of more records than this at once nobody sees each: what they come to is drawn, and again after a while, in milliseconds. */
const flood = 100;
const whileOfFlood = 200;

/** A daemon while it runs: its newest history, and what can be done. */
class LivePage {
  constructor(main, server) {
    this.server = server;
    this.state = element("p.state", { tabindex: "-1" });
    this.place = element("div");
    this.past = [];
    this.runs = element("p.runs");
    this.dropped = element("p.nothing", { hidden: true });
    main.replaceChildren(this.state, this.runs, this.dropped, this.place);
    const page = () => (this.shown?.view.isConnected ? this.shown : this.page);
    keys(page);
    follow(page);
  }

  async run() {
    this.say("… is looked for");
    try {
      for await (const event of this.server.events()) {
        if (event.name === "runs") return said(event).runs;
        if (event.name === "page") this.begin(said(event));
        else if (event.name === "records") this.take(event.lines);
        else if (event.name === "names") this.panel.offer(said(event));
        else if (event.name === "ended") return this.end(said(event).message);
      }
      this.end("scenectl has ended.");
    } catch (error) {
      this.end(error.message === "Failed to fetch" || error.message === "network error" ? "scenectl has ended." : error.message);
    }
    return undefined;
  }

  /** A host begins: the first, or the next after a reset or another daemon. What was done before stays, and the records of it. */
  begin(about) {
    const last = this.reader?.list.at(-1);
    if (last) this.past.push(last);
    this.reader = new HistoryReader();
    this.page = undefined;
    this.came = 0;
    this.title = "";
    this.about = about;
    this.acts = new Acts(this.server, about, this.acts?.log ?? about.done.map(Acts.restored));
    this.panel = new ActPanel(this.acts);
    const roles = about.roles && `your roles: ${about.roles.join(", ")}`;
    this.say("● live", roles);
    this.heart?.stop();
    this.heart = new Heart(this.server, about.page, (trouble) => (trouble ? this.say("◌ no answer", trouble) : this.say("● live", "it answers again", roles)));
  }

  take(lines) {
    for (const { data, start, end } of lines) this.reader.line(data, start, end);
    this.came += lines.length;
    this.pending ??= requestAnimationFrame(() => this.draw());
  }

  /** Draws what has come, whatever that is, once a frame. */
  draw() {
    const history = this.reader.list.at(-1);
    if (this.page && this.came > flood && performance.now() - this.drawn < whileOfFlood) {
      this.pending = requestAnimationFrame(() => this.draw());
      return;
    }
    this.pending = undefined;
    this.came = 0;
    this.drawn = performance.now();
    if (!history) return;
    history.limit(mostRecords, mostBytes);
    this.dropped.hidden = history.first === 0;
    this.dropped.textContent = `The page keeps the newest records; it has dropped the first ${counted(history.first, "record")} that it had.`;
    if (this.page) {
      this.page.grow();
    } else {
      history.know(this.about.present);
      this.page = new HistoryPage(history, this.panel);
      this.place.replaceChildren(this.page.view);
      this.page.start();
      this.offerRuns();
    }
    this.panel.show(history);
    if (history.title !== this.title) name([this.title = history.title]);
  }

  /** The runs before this one can still be looked at. */
  offerRuns() {
    if (this.past.length === 0) return;
    const now = this.page;
    const choice = element("select", { "aria-label": "run that is shown", onchange: () => this.look(choice.value === "" ? now : new HistoryPage(this.past[Number(choice.value)])) },
      element("option", { value: "" }, "now"), this.past.map((history, number) => element("option", { value: String(number) }, `before: ${history.title}, ${counted(history.count, "record")}`)));
    this.runs.replaceChildren(choice);
  }

  look(page) {
    this.shown = page;
    this.place.replaceChildren(page.view);
    if (page !== this.page) page.start();
  }

  /** What there was can still be looked at; nothing can be done. */
  end(message) {
    this.heart?.stop();
    this.say("○ ended", message, element("button", { type: "button", onclick: () => this.run() }, "look for it again"));
    this.acts?.close();
    this.page?.refresh();
  }

  say(...parts) {
    announce("state", `${parts.filter((part) => typeof part === "string").join(", ").replace(/^[^a-z]+/, "")}`);
    redraw(this.state, () => this.state.replaceChildren(...parts.filter(Boolean).flatMap((part, number) => (number === 0 ? [element("strong", {}, part)] : [" ", part]))), this.state);
  }
}

/** Shows what the program has that serves this page. */
export async function open(main) {
  // Whoever has no key, or a new address, may put that into the same tab.
  addEventListener("hashchange", () => { if (location.hash.startsWith("#token=")) location.reload(); });
  try {
    const server = await Server.enter();
    const runs = await new LivePage(main, server).run();
    if (runs === undefined) return;
    const sources = runs.map(({ label, unread }) => ({ label, marks: [], reader: new HistoryReader(unread) }));
    for (const [number, { reader }] of sources.entries()) {
      for await (const piece of server.pieces(`/runs/${number}`)) reader.push(piece);
      reader.end();
    }
    show(main, sources);
  } catch (error) {
    main.replaceChildren(element("p.problem", {}, error.message));
  }
}

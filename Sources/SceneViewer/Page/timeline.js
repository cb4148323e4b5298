import { counted } from "scened/format";
import { harmless, outcomes } from "scened/words";

/** The lanes of a history: the session, the app itself, and each window. */
export function lanesOf(history) {
  const lanes = [{ name: "session", scene: null }];
  if (history.appLane.order.length > 0) lanes.push({ name: "the app", scene: history.appLane });
  for (const scene of history.scenes.values()) lanes.push({ name: scene.name, scene });
  return lanes;
}

const laneHeight = 34;
const labelWidth = 96;
const axisHeight = 20;

/**
 * <scene-timeline>: a lane for the session, the app and each window; events as bars from admitted over waiting and running to their end,
 * waits for a gate hatched, commits as lines through all lanes. Dispatches `place` with the record chosen.
 */
export class SceneTimeline extends HTMLElement {
  connectedCallback() {
    if (this.canvas) return;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.now = document.createElement("div");
    this.now.className = "now";
    this.now.setAttribute("aria-hidden", "true");
    this.append(this.canvas, this.now);
    this.byTime = false;
    new ResizeObserver(() => this.draw()).observe(this);
    for (const colours of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) matchMedia(colours).addEventListener("change", () => this.draw());
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointerleave", () => { this.canvas.title = ""; });
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  show(history, { filter } = {}) {
    this.history = history;
    this.lanes = lanesOf(history);
    this.filter = filter ?? (() => true);
    this.from = this.start;
    this.to = this.end;
    this.drawnEnd = this.end;
    this.place = history.first;
    this.canvas.style.height = `${this.lanes.length * laneHeight + axisHeight}px`;
    this.draw();
  }

  /** The history has grown: what showed its end shows it still. */
  grow() {
    const showedEnd = this.to >= this.drawnEnd;
    const showedAll = showedEnd && this.from <= this.start;
    const span = this.to - this.from;
    this.lanes = lanesOf(this.history);
    this.canvas.style.height = `${this.lanes.length * laneHeight + axisHeight}px`;
    if (showedEnd) {
      this.to = this.end;
      if (!showedAll) this.from = this.to - span;
    }
    if (this.from < this.start) {
      this.from = this.start;
      this.to = Math.max(this.to, this.from + 1);
    }
    this.drawnEnd = this.end;
    this.draw();
  }

  /** Marks a record. What is drawn stays as it is, as long as the record is to be seen. */
  select(place) {
    this.place = place;
    const at = this.position(place);
    const span = this.to - this.from;
    if (at < this.from || at > this.to) {
      this.from = Math.max(this.start, at - span / 2);
      this.to = this.from + span;
      this.draw();
    }
    if (this.width) this.point();
  }

  set scale(byTime) {
    this.byTime = byTime;
    this.from = this.start;
    this.to = this.end;
    this.drawnEnd = this.end;
    this.draw();
  }

  get start() { return this.position(this.history.first); }
  get end() { return Math.max(this.position(this.history.count - 1), this.start + 1); }

  /** Where a record is on the axis: its number, or its time. */
  position(place) { return this.byTime ? this.history.time(place) : place; }

  zoom(factor, at = (this.from + this.to) / 2) {
    const least = this.byTime ? 1000 : 4;
    const span = Math.min(Math.max((this.to - this.from) * factor, least), this.end - this.start);
    const share = (at - this.from) / (this.to - this.from);
    this.from = Math.min(Math.max(at - span * share, this.start), this.end - span);
    this.to = this.from + span;
    this.draw();
  }

  x(position) { return labelWidth + ((position - this.from) / (this.to - this.from)) * (this.width - labelWidth - 8); }
  unX(x) { return this.from + ((x - labelWidth) / (this.width - labelWidth - 8)) * (this.to - this.from); }

  /** The record nearest to a position on the axis. */
  placeAt(position) {
    const last = this.history.count - 1;
    if (!this.byTime) return Math.min(Math.max(Math.round(position), this.history.first), last);
    let low = this.history.first;
    let high = last;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.history.time(middle) < position) low = middle + 1;
      else high = middle;
    }
    return low > this.history.first && position - this.history.time(low - 1) < this.history.time(low) - position ? low - 1 : low;
  }

  draw() {
    if (!this.history || this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.paint();
    });
  }

  paint() {
    const scale = devicePixelRatio;
    this.width = this.clientWidth;
    const height = this.lanes.length * laneHeight + axisHeight;
    this.canvas.width = this.width * scale;
    this.canvas.height = height * scale;
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    const style = getComputedStyle(this);
    this.colours = {};
    for (const name of ["text", "faint", "line", "paper", "good", "bad", "wait", "accent", "lane"]) {
      this.colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.bars = [];
    this.marked = new Set();
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    this.paintLanes(context);
    this.paintCommits(context, height);
    this.lanes.forEach((lane, number) => lane.scene && this.paintEvents(context, lane.scene, axisHeight + number * laneHeight));
    this.paintMarks(context);
    this.point();
    this.describe();
  }

  paintLanes(context) {
    this.lanes.forEach((lane, number) => {
      const top = axisHeight + number * laneHeight;
      if (number % 2 === 0) {
        context.fillStyle = this.colours.lane;
        context.fillRect(0, top, this.width, laneHeight);
      }
      context.fillStyle = this.colours.text;
      context.fillText(this.fitting(context, lane.name, labelWidth - 12), 6, top + laneHeight / 2);
    });
  }

  fitting(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let short = [...text].slice(0, 40);
    while (short.length > 1 && context.measureText(`${short.join("")}…`).width > width) short = short.slice(0, -1);
    return `${short.join("")}…`;
  }

  paintCommits(context, height) {
    context.strokeStyle = this.colours.accent;
    context.setLineDash([3, 3]);
    let lastX = -10;
    for (const place of this.history.commits) {
      const x = Math.round(this.x(this.position(place))) + 0.5;
      if (x < labelWidth || x > this.width || x - lastX < 2) continue;
      lastX = x;
      context.beginPath();
      context.moveTo(x, axisHeight);
      context.lineTo(x, height);
      context.stroke();
      context.fillStyle = this.colours.accent;
      context.beginPath();
      context.arc(x, axisHeight + laneHeight / 2, 4, 0, 7);
      context.fill();
    }
    context.setLineDash([]);
  }

  paintEvents(context, scene, top) {
    // From the first event that may reach into what is seen: events of a scene are in the order of their admission.
    const last = this.history.count - 1;
    const drawn = new Map();
    const before = this.bars.length;
    for (const event of scene.order) {
      if (this.position(event.first) > this.to) break;
      const end = event.ended >= 0 ? event.ended : event.lost >= 0 ? event.lost : last;
      if (this.position(end) < this.from || !this.filter(event)) continue;
      const left = this.x(this.position(event.first));
      const right = Math.max(this.x(this.position(end)), left + 3);
      // What is closer than a pixel is drawn once, and is as bad as the worst of it.
      const look = outcomes[event.outcome]?.look ?? "wait";
      const slot = Math.round(Math.max(left, labelWidth)) * 65_536 + Math.round(Math.min(right, this.width));
      const seen = drawn.get(slot);
      if (seen && (seen === "bad" || look !== "bad")) continue;
      drawn.set(slot, look);
      this.paintEvent(context, event, Math.max(left, labelWidth), Math.min(right, this.width), top, look);
    }
    this.paintLabels(context, this.bars.slice(before));
    this.paintSpans(context, scene.moves, scene.moveEnds, top + laneHeight - 9, "accent");
    this.paintSpans(context, scene.holds, scene.holdEnds, top + 2, "wait");
    context.fillStyle = this.colours.bad;
    let lastX = -1;
    for (const place of scene.sweeps) {
      const x = this.x(this.position(place));
      if (x < labelWidth || x > this.width || x - lastX < 1) continue;
      lastX = x;
      context.beginPath();
      context.moveTo(x - 4, top + laneHeight - 9);
      context.lineTo(x + 4, top + laneHeight - 9);
      context.lineTo(x, top + laneHeight - 2);
      context.fill();
    }
  }

  /** Spans as a line: transitions below the bars, holds above them. */
  paintSpans(context, starts, ends, y, colour) {
    context.fillStyle = this.colours[colour];
    const last = this.history.count - 1;
    for (let number = 0; number < starts.length; number += 1) {
      const from = this.position(starts[number]);
      if (from > this.to) break;
      const to = this.position(ends[number] < 0 ? last : ends[number]);
      const left = Math.max(this.x(from), labelWidth);
      const right = Math.min(this.x(to), this.width);
      if (right - left >= 2) context.fillRect(left, y, right - left, 3);
    }
  }

  paintEvent(context, event, left, right, top, look) {
    // What went wrong is taller, so that also a bar without room for a sign tells it without its colour.
    const [y, height] = look === "bad" ? [top + 4, laneHeight - 12] : [top + 7, laneHeight - 18];
    const bar = { x: left, y, width: right - left, height, event };
    this.bars.push(bar);
    context.strokeStyle = this.colours[look];
    context.lineWidth = 1;
    context.strokeRect(bar.x + 0.5, bar.y + 0.5, Math.max(bar.width - 1, 1), bar.height - 1);
    const clip = (from, to) => {
      const x = Math.max(this.x(this.position(from)), labelWidth);
      const end = to < 0 ? right : Math.min(this.x(this.position(to)), this.width);
      return [x, Math.max(end - x, 2)];
    };
    context.fillStyle = this.colours[look];
    for (const [from, to] of event.attempts) context.fillRect(clip(from, to)[0], bar.y, clip(from, to)[1], bar.height);
    context.strokeStyle = this.colours.wait;
    for (const [from, to] of event.waits) {
      const [x, width] = clip(from, to);
      if (width < 6) continue;
      context.save();
      context.beginPath();
      context.rect(x, bar.y, width, bar.height);
      context.clip();
      context.beginPath();
      for (let line = x - bar.height; line < x + width; line += 6) {
        context.moveTo(line, bar.y + bar.height);
        context.lineTo(line + bar.height, bar.y);
      }
      context.stroke();
      context.restore();
    }
  }

  /** What the bars of a lane are, above all of them. While an event waits, others may run: its label has the room up to the next bar. */
  paintLabels(context, bars) {
    bars.forEach((bar, number) => {
      const room = Math.min(bar.width, (bars[number + 1]?.x ?? Infinity) - bar.x);
      if (room < 22) return;
      const { event } = bar;
      const label = `${event.lost >= 0 ? "⌇" : outcomes[event.outcome]?.sign ?? "…"} ${event.goal || event.kind}`;
      bar.text = this.fitting(context, label, room - 8);
      bar.textWidth = context.measureText(bar.text).width;
      context.fillStyle = this.colours.paper;
      context.globalAlpha = 0.85;
      context.fillRect(bar.x + 2, bar.y + 2, bar.textWidth + 4, bar.height - 4);
      context.globalAlpha = 1;
      context.fillStyle = this.colours.text;
      context.fillText(bar.text, bar.x + 4, bar.y + bar.height / 2 + 0.5);
    });
  }

  paintMarks(context) {
    context.fillStyle = this.colours.bad;
    for (const place of this.history.violations) this.mark(context, place, "✘");
    for (const gap of this.history.gaps) {
      this.mark(context, gap.place, "⌇");
      const x = Math.round(this.x(this.position(gap.place))) - 2;
      if (this.marked.has(x)) continue;
      this.marked.add(x);
      if (x >= labelWidth - 2 && x <= this.width) context.fillRect(x, axisHeight, 2, this.lanes.length * laneHeight);
    }
    for (const { first } of this.history.repeats) this.mark(context, first, "↻");
    for (const { place, sign } of this.marks ?? []) this.mark(context, place, sign);
  }

  mark(context, place, sign) {
    const x = Math.round(this.x(this.position(place)));
    const slot = `${sign}${x}`;
    if (x < labelWidth || x > this.width || this.marked.has(slot)) return;
    this.marked.add(slot);
    context.fillText(sign, x - 4, axisHeight / 2);
  }

  /** Puts the line of the marked record where that is. */
  point() {
    const x = Math.round(this.x(this.position(this.place)));
    this.now.hidden = x < labelWidth - 1 || x > this.width;
    this.now.style.transform = `translateX(${x}px)`;
  }

  /** What a screen reader says of the picture; the list of records says all of it. */
  describe() {
    this.canvas.setAttribute(
      "aria-label",
      `Time line${this.of ?? ""}: ${counted(this.lanes.length, "lane")}, ${counted(this.history.count - this.history.first, "record")}, ${counted(this.history.commits.length, "commit")}, ${counted(this.history.gaps.length, "gap")}. The list of records below says the same.`,
    );
  }

  /** All about an event: `#3 url, product(id: p1): applied`. */
  words(event) {
    return harmless(`#${event.ticket} ${[event.kind, event.goal].filter(Boolean).join(", ")}: ${event.lost >= 0 ? "its end is missing" : event.outcome || "going on"}`);
  }

  barAt(event) {
    const { offsetX, offsetY } = event;
    return this.bars?.findLast((bar) => offsetX >= bar.x - 2 && offsetX <= bar.x + bar.width + 2 && offsetY >= bar.y && offsetY <= bar.y + bar.height);
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pressed = { x: event.offsetX, from: this.from, to: this.to, moved: false, pans: event.shiftKey };
    if (!this.pressed.pans && event.offsetY < axisHeight) this.choose(this.placeAt(this.unX(event.offsetX)));
  }

  move(event) {
    if (!this.pressed) {
      const bar = this.barAt(event);
      this.canvas.title = bar ? this.words(bar.event) : "";
      return;
    }
    if (Math.abs(event.offsetX - this.pressed.x) > 3) this.pressed.moved = true;
    if (!this.pressed.moved) return;
    if (this.pressed.pans) {
      const by = ((this.pressed.x - event.offsetX) / (this.width - labelWidth - 8)) * (this.pressed.to - this.pressed.from);
      const span = this.pressed.to - this.pressed.from;
      this.from = Math.min(Math.max(this.pressed.from + by, this.start), this.end - span);
      this.to = this.from + span;
      this.draw();
    } else {
      this.choose(this.placeAt(this.unX(event.offsetX)));
    }
  }

  release(event) {
    const pressed = this.pressed;
    this.pressed = null;
    if (!pressed || pressed.moved) return;
    const bar = this.barAt(event);
    this.choose(bar ? bar.event.first : this.placeAt(this.unX(event.offsetX)), bar?.event);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.unX(event.offsetX));
  }

  choose(place, event) {
    this.dispatchEvent(new CustomEvent("place", { detail: { place, event }, bubbles: true }));
  }
}

customElements.define("scene-timeline", SceneTimeline);

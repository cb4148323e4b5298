import { element } from "scened/dom";
import { count } from "scened/format";

/** The most records that are printed: some ten pages. */
const most = 500;

const isPrinted = matchMedia("print");

/** Whether the page is made for paper now. */
export let isOnPaper = false;

/**
 * Has a page made for paper while it is printed.
 * @param {() => {list: RecordList, selected: number, draw: () => void} | undefined} page the page that is shown: its list, the row that is chosen in it, and how it is drawn at once
 */
export function printing(page) {
  let undo;
  const begin = () => {
    const shown = page();
    if (undo || !shown) return;
    isOnPaper = true;
    document.documentElement.classList.add("paper");
    const closed = [...document.querySelectorAll(".detail details:not([open])")];
    for (const one of closed) {
      one.open = true;
      // What is written when it is opened has to be there before the page is laid out.
      one.dispatchEvent(new Event("toggle"));
    }
    const table = recordTable(shown.list, shown.selected);
    shown.list.closest(".page").append(table);
    shown.draw();
    undo = () => {
      isOnPaper = false;
      document.documentElement.classList.remove("paper");
      for (const one of closed) one.open = false;
      table.remove();
      shown.draw();
    };
  };
  const end = () => {
    undo?.();
    undo = undefined;
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  // A preview may have no such events.
  isPrinted.addEventListener("change", () => (isPrinted.matches ? begin() : end()));
}

/** The records of a list, around the one that is chosen: the list itself has only those in sight. */
function recordTable({ rows }, selected) {
  const from = Math.max(Math.min(selected - most / 2, rows.count - most), 0);
  const to = Math.min(from + most, rows.count);
  const title = to - from === rows.count ? `${count(rows.count)} records` : `records ${count(from + 1)} to ${count(to)} of ${count(rows.count)}`;
  return element("table.printed", {}, element("caption", {}, title), element("tbody", {}, Array.from({ length: to - from }, (_, number) => element("tr",
    { "data-look": rows.look(from + number), "aria-current": from + number === selected ? "true" : null }, cells(rows, from + number).map((cell) => element("td", {}, cell))))));
}

/** The texts of a row. */
function cells(rows, row) {
  const line = document.createElement("div");
  rows.fill(line, row);
  return [...line.children].map((cell) => cell.textContent);
}

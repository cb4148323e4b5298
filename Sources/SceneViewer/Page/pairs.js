import { sentence } from "scened/words";

/** How many records further on a step of the same kind may be that came out otherwise. */
const near = 8;

/** Where a step is and of what kind. */
function kind(record) { return `${record.receiver ?? ""}|${record.scene ?? ""}|${record.kind}`; }

/** What two records must have in common to be the same step of two runs. */
function key(record) {
  // How a run begins is beside each other: two versions of an app are compared by what they do.
  if (record.kind === "host.started") return record.kind;
  return `${kind(record)}|${sentence(record)}`;
}

/**
 * Two runs beside each other: rows with a place of the left one, of the right one, or of both where they do the same, or where they do something
 * of the same kind otherwise: then the row is apart.
 * Runs too long for an exact comparison are compared from their beginnings and from their ends.
 */
export function pairs(left, right) {
  // Runs of a race have a host of one name, and no gaps.
  if (left.host && left.host === right.host && left.gaps.length + right.gaps.length > 0) return sameHost(left, right);
  const [a, b] = [left, right].map((history) => Array.from({ length: history.count }, (_, place) => key(history.record(place))));
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const rows = [];
  for (let at = 0; at < start; at += 1) rows.push([at, at]);
  rows.push(...middle(a, b, start, a.length - end, b.length - end));
  for (let at = end; at > 0; at -= 1) rows.push([a.length - at, b.length - at]);
  const beside = together(rows, (side, place) => kind([left, right][side].record(place)));
  return { rows: beside, firstDifference: beside.findIndex(isApart) };
}

/** Whether the two runs do not do the same there. */
export const isApart = (row) => row.isApart === true || row.includes(null);

/** The rows, with steps of one kind that come out otherwise beside each other. */
function together(rows, kindOf) {
  const beside = [];
  for (let at = 0; at < rows.length;) {
    if (!rows[at].includes(null)) {
      beside.push(rows[at++]);
      continue;
    }
    const [lefts, rights] = [[], []];
    for (; at < rows.length && rows[at].includes(null); at += 1) {
      if (rows[at][0] !== null) lefts.push(rows[at][0]);
      else rights.push(rows[at][1]);
    }
    let next = 0;
    for (const one of lefts) {
      const match = rights.slice(next, next + near).findIndex((other) => kindOf(1, other) === kindOf(0, one));
      if (match < 0) {
        beside.push([one, null]);
        continue;
      }
      for (const other of rights.slice(next, next + match)) beside.push([null, other]);
      beside.push(Object.assign([one, rights[next + match]], { isApart: true }));
      next += match + 1;
    }
    for (const other of rights.slice(next)) beside.push([null, other]);
  }
  return beside;
}

/** The longest common subsequence of what is between the common beginning and end. */
function middle(a, b, start, endA, endB) {
  const height = endA - start;
  const width = endB - start;
  if (height * width > 4_000_000) {
    return [...Array.from({ length: height }, (_, at) => [start + at, null]), ...Array.from({ length: width }, (_, at) => [null, start + at])];
  }
  const table = new Uint32Array((height + 1) * (width + 1));
  const at = (row, column) => row * (width + 1) + column;
  for (let row = height - 1; row >= 0; row -= 1) {
    for (let column = width - 1; column >= 0; column -= 1) {
      table[at(row, column)] = a[start + row] === b[start + column]
        ? table[at(row + 1, column + 1)] + 1 : Math.max(table[at(row + 1, column)], table[at(row, column + 1)]);
    }
  }
  const rows = [];
  let row = 0;
  let column = 0;
  while (row < height && column < width) {
    if (a[start + row] === b[start + column]) rows.push([start + row++, start + column++]);
    else if (table[at(row + 1, column)] >= table[at(row, column + 1)]) rows.push([start + row++, null]);
    else rows.push([null, start + column++]);
  }
  while (row < height) rows.push([start + row++, null]);
  while (column < width) rows.push([null, start + column++]);
  return rows;
}

/** Of one host, records of one number are the same; what one side alone has is missing in the other, which is no difference. */
function sameHost(left, right) {
  const rows = [];
  let [a, b] = [0, 0];
  while (a < left.count || b < right.count) {
    const [one, other] = [left, right].map((history, side) => [a, b][side] < history.count ? history.index([a, b][side]) : Infinity);
    rows.push([one <= other ? a : null, other <= one ? b : null]);
    if (one <= other) a += 1;
    if (other <= one) b += 1;
  }
  return { rows, firstDifference: rows.findIndex(([one, other]) => one !== null && other !== null && left.text(one) !== right.text(other)) };
}

/** Integers of any size, exact: a number as long as one can be that, else a BigInt. Two of them compare with `<` and `===`. */

const isWhole = /^-?[0-9]+$/;

/** Whether a text is an integer, as JSON writes one. */
export const isInteger = (text) => isWhole.test(text);

/** The integer that a text is. */
export function integer(text) {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const fitting = (big) => (big >= Number.MIN_SAFE_INTEGER && big <= Number.MAX_SAFE_INTEGER ? Number(big) : big);
const isExact = (one) => typeof one === "bigint" || Number.isInteger(one);

/** Of numbers that are no integers, as records from anywhere may have them, it is what such numbers can be. */
export function sum(one, other) {
  const number = Number(one) + Number(other);
  if ((Number.isSafeInteger(number) && typeof one === "number" && typeof other === "number") || !isExact(one) || !isExact(other)) return number;
  return fitting(BigInt(one) + BigInt(other));
}

export const difference = (one, other) => sum(one, -other);

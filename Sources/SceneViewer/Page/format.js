/** Numbers, times and dates as the reader's languages write them. Words are English whatever these are. */

/** The languages that the browser is set to, those it knows nothing of left out. */
const languages = (() => {
  try {
    return Intl.NumberFormat.supportedLocalesOf(navigator.languages ?? []);
  } catch {
    return [];
  }
})();

const whole = new Intl.NumberFormat(languages);
export const count = (number) => whole.format(number);
/** So many of something: `1 record`, `2 records`. */
export const counted = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

const seconds = new Intl.NumberFormat(languages, { minimumFractionDigits: 6, maximumFractionDigits: 6 });
/** Nanoseconds as seconds. */
export const time = (nanoseconds) => seconds.format(nanoseconds / 1e9);

const span = new Intl.NumberFormat(languages, { style: "unit", unit: "millisecond" });
/** A number of milliseconds, with its unit. */
export const milliseconds = (number) => span.format(number);

const day = new Intl.DateTimeFormat(languages, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
/** A moment of a daemon's clock, as ISO 8601 has it; as it is if it is none. A daemon has no time zone of its own. */
export function date(text) {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? String(text) : `${day.format(moment)} UTC`;
}

const hours = new Intl.DateTimeFormat(languages, { timeStyle: "medium" });
/** The time of day where the reader is. */
export const timeOfDay = (moment) => hours.format(moment);

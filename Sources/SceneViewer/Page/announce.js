import { element } from "scened/dom";

/** What a screen reader says by itself: the one place of the page that tells what has changed. Mistakes in forms are told beside these. */
const region = element("p.unseen", { id: "news", role: "status" });
document.body.append(region);

/** Long enough that who holds a key down hears where it stopped. */
const pause = 250;

let waiting = new Map();
let timer;

/** Says a sentence once nothing new has come for a moment; of one `topic` the last. */
export function announce(topic, sentence) {
  waiting.set(topic, sentence);
  clearTimeout(timer);
  timer = setTimeout(() => {
    region.replaceChildren(...[...waiting.values()].map((one) => element("span", {}, `${one}. `)));
    waiting = new Map();
  }, pause);
}

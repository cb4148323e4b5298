import { timeOfDay } from "scened/format";

/** How often it is asked whether the daemon answers, in milliseconds. */
const every = 2000;

/** How long scenectl may take, which itself waits for the daemon for two seconds. */
const patience = 5000;

/** Finds out that a daemon hangs: its stream is as silent then as if nothing happened. */
export class Heart {
  /** @param {(trouble: string) => void} tell told what is wrong when that changes; an empty text if nothing is */
  constructor(server, page, tell) {
    this.server = server;
    this.page = page;
    this.tell = tell;
    this.who = "";
    this.timer = setInterval(() => this.beat(), every);
  }

  stop() {
    clearInterval(this.timer);
    this.isStopped = true;
  }

  async beat() {
    if (this.isBeating) return;
    this.isBeating = true;
    const asked = new Date();
    try {
      const answer = await this.server.ask(`/heart?page=${this.page}`, { signal: AbortSignal.timeout(patience) });
      this.say((await answer.json()).answers ? "" : "the daemon", asked);
    } catch (error) {
      // What is refused or cannot be reached has ended, and the stream says so.
      if (error.name === "TimeoutError") this.say("scenectl", asked);
    }
    this.isBeating = false;
  }

  say(who, since) {
    if (who === this.who || this.isStopped) return;
    this.who = who;
    this.tell(who === "" ? "" : `${who} does not answer since ${timeOfDay(since)}`);
  }
}

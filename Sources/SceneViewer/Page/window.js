import { element, redraw } from "scened/dom";
import { activations, destination, harmless, op, sentence } from "scened/words";

/**
 * <scene-window>: the one place where a window is drawn. Set `shown` to what `History.sceneAt` gives as `scene`, with `session` beside it for
 * what each screen needs; `changed` says whether the record shown has just changed it, `acts` what can be done in it, if something can, and `of`
 * which run it is of, if there are two.
 */
export class SceneWindow extends HTMLElement {
  set shown(shown) {
    redraw(this, () => this.draw(shown), this.closest(".windows"));
  }

  draw({ scene, session, changed, acts, of = "" }) {
    const window = scene.window;
    const isMenuOpen = this.querySelector("details.menu")?.open === true;
    this.acts = acts;
    const isOff = !scene.isConnected && scene.isStateKnown;
    this.className = [
      isOff ? "off" : scene.activation === "background" || scene.isOld ? "dim" : "", changed ? "changed" : "",
      scene.activation === "foregroundActive" && !isOff ? "front" : "",
    ].join(" ");
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", harmless(`window ${scene.name}${of}`));
    this.replaceChildren(
      element("header", {},
        element("strong", {}, scene.name),
        element("span.state", {}, this.state(scene)),
        scene.move && element("span.badge.moving", { title: op(scene.move) }, "in transition", element("span.unseen", {}, `: ${op(scene.move)}`)),
        scene.hold && element("span.badge", { "data-look": "wait", title: sentence(scene.hold) }, `held at ${scene.hold.point}`),
        scene.isLocked && element("span.badge", {}, "locked"),
        scene.isOld && scene.window && element("span.badge", { "data-look": "bad", title: "records are missing since it showed this" }, "⌇ may be old"),
        changed && element("span.badge.new", {}, "changed"),
        acts?.menu(),
      ),
      window ? this.drawn(window, session) : element("p.nothing", {}, scene.isOld ? "what it shows is not known" : "shows nothing yet"),
    );
    const menu = this.querySelector("details.menu");
    if (menu) menu.open = isMenuOpen;
  }

  state(scene) {
    if (!scene.isStateKnown) return "connected or not: not known";
    if (scene.isDiscarded) return "discarded";
    if (!scene.isConnected) return scene.isKnown ? "disconnected" : "";
    return scene.activation === "unattached" ? "opening" : activations[scene.activation] ?? scene.activation;
  }

  /** The content, or a word about it: records may come from anywhere. */
  drawn(window, session) {
    try {
      return this.content(window, session);
    } catch {
      return element("p.nothing", {}, "what it shows cannot be drawn");
    }
  }

  content(window, session) {
    // One entry for every screen: those of the tabs' stacks in order, then those of the presentations'.
    const facts = [...(window.shown ?? [])];
    const take = (stack) => (stack ?? []).map((place) => ({ place, about: facts.shift() }));
    const tabs = (window.tabs ?? []).map((tab) => ({ id: tab.id, cards: take(tab.stack) }));
    const modals = (window.modals ?? []).map((modal) => ({ ...modal, cards: take(modal.stack) }));
    const front = tabs.find((tab) => tab.id === window.selectedTab) ?? tabs[0];
    const covered = modals.length > 0;
    return element("div.screen", {},
      element("div.base", { class: covered ? "base covered" : "base" },
        !covered && front?.cards.length > 1 && element("p.touches", {}, this.acts?.back()),
        this.stack(front?.cards ?? [], session, !covered),
        tabs.length > 1 && element("ul.tabs", { "aria-label": "tabs" }, tabs.map((tab) => element(
          "li", { "aria-current": tab.id === window.selectedTab ? "true" : null },
          element("span", {}, (!covered && this.acts?.tab(tab.id)) || tab.id),
          tab.cards.length > 1 && element("small", { title: tab.cards.map((card) => destination(card.place)).join(" › ") }, `+${tab.cards.length - 1}`),
        ))),
      ),
      modals.map((modal, number) => element("div.modal", { "data-style": modal.style },
        element("p.style", {}, { fullScreen: "full screen" }[modal.style] ?? modal.style, modal.flow ? ` · flow ${modal.flow}` : ""),
        number === modals.length - 1 && element("p.touches", {}, modal.cards.length > 1 && this.acts?.back(), this.acts?.dismiss(), modal.flow && this.acts?.flow(modal.flow)),
        this.stack(modal.cards, session, number === modals.length - 1))),
    );
  }

  stack(cards, session, isFront) {
    return element("ol.stack", {}, cards.map(({ place, about }, number) => {
      const isTop = number === cards.length - 1;
      return element(isTop ? "li.card.top" : "li.card", { "aria-current": isTop && isFront ? "page" : null },
        element("b", {}, place?.id ?? "?"),
        Object.entries(place?.parameters ?? {}).map(([name, value]) => element("span.parameter", {}, `${name}: `, element("i", {}, value))),
        isTop && about && this.needs(about, session),
      );
    }));
  }

  /** What a screen needs, and whether it holds: why it may be shown. */
  needs(about, session) {
    const lines = (about.needs ?? []).map((name) => {
      const holds = session?.holds?.[name];
      const stale = session?.stale?.includes(name);
      const sign = holds === true ? "✓" : stale ? "◔" : holds === false ? "✕" : "·";
      const said = holds === true ? "holds" : stale ? "the sign-in is stale" : holds === false ? "does not hold" : "looks at parameters or the time";
      return element("span.need", { class: holds === false && !stale ? "need bad" : "need", title: `${name}: ${said}` }, `${sign} ${name}`,
        element("span.unseen", {}, ` ${said}`));
    });
    if (about.personal) lines.push(element("span.need", { title: "goes when the user leaves" }, "♟ personal"));
    return lines.length > 0 && element("span.needs", {}, lines);
  }
}

customElements.define("scene-window", SceneWindow);

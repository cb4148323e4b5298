// Asks a page what only a browser knows, and tells the page that holds it.
function ratio(one, other) {
  const light = (c) => {
    const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}
const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
function behind(element) {
  for (let e = element; e; e = e.parentElement) {
    const c = colour(getComputedStyle(e).backgroundColor);
    if (c.length === 3 || c[3] > 0.99) return c.slice(0, 3);
  }
  return [255, 255, 255];
}
const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top + scrollY, r.width, r.height]; };
const apart = (a, b) => a.right <= b.left + 0.5 || b.right <= a.left + 0.5 || a.bottom <= b.top + 0.5 || b.bottom <= a.top + 0.5;

addEventListener("load", () => {
  const width = document.documentElement.clientWidth;
  const wide = [...document.querySelectorAll("body *")].filter(
    (e) => !e.closest(".scroll > *") && !e.closest("svg > *") && e.getBoundingClientRect().right > width + 1);
  const scrolled = [...document.querySelectorAll(".scroll")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label"));
  const faint = [];
  for (const e of document.querySelectorAll("body *")) {
    if (e.closest("svg") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const style = getComputedStyle(e);
    const contrast = ratio(colour(style.color).slice(0, 3), behind(e));
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)}: ${e.textContent.trim().slice(0, 40)}`);
  }
  const crowded = [];
  for (const group of document.querySelectorAll(".heights, .widths, .above")) {
    const words = [...group.children];
    words.forEach((one, index) => words.slice(index + 1).forEach((other) => {
      if (!apart(one.getBoundingClientRect(), other.getBoundingClientRect()))
        crowded.push(`${one.textContent} / ${other.textContent}`);
    }));
  }
  const charts = [...document.querySelectorAll(".plot > svg")].map((svg) => {
    const drawn = [...svg.querySelectorAll(".line, .layer")].map((e) => e.getBoundingClientRect());
    const left = Math.min(...drawn.map((r) => r.left)), right = Math.max(...drawn.map((r) => r.right));
    return { name: svg.getAttribute("aria-label").split(":")[0], box: box(svg), drawn: drawn.length ? right - left : 0 };
  });
  parent.postMessage({
    name: self.name, width, height: document.documentElement.scrollHeight,
    overflow: document.documentElement.scrollWidth - width, wide: wide.map((e) => `${e.tagName} ${e.className}`),
    scrolled, faint, crowded, charts, fetched: performance.getEntriesByType("resource").map((r) => r.name),
    headline: document.querySelector("h1").textContent, background: behind(document.body),
  }, "*");
});

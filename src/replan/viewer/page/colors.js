// Colours, for a light and a dark page, and what each of them means.

function hex(text) {
  const n = parseInt(text.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

const LIGHT = {
  page: "#ffffff", free: "#ffffff", fog: "#ccd3df", wall: "#2b303b", ghost: "#98a3b8", slow: "#d9c9a3",
  wrong: "#e5484d", closed: "#8ec5ff", closedLate: "#2f7fd6", open: "#9be3b5", raised: "#ffd9a8", raisedMost: "#d9480f",
  trail: "#c9b6ea", path: "#7b2fd0", agent: "#5b16b8", goal: "#c2185b", target: "#c2185b", start: "#6b7280",
  lowered: "#63c7ba", raisedKind: "#f0a35e", refreshed: "#d0d4dc", inconsistent: "#e6d95c", marked: "#b0460c",
  text: "#1a1d24", cursor: "#0b57d0", grid: "#d4d8e0",
};
const DARK = {
  page: "#14161b", free: "#54565d", fog: "#1a1c22", wall: "#c6ccd8", ghost: "#483739", slow: "#7a6a3c",
  wrong: "#ff6b6f", closed: "#1f5c9c", closedLate: "#5db0ff", open: "#2b7d4c", raised: "#6b4420", raisedMost: "#ff8c42",
  trail: "#7455c2", path: "#c39bff", agent: "#e9dcff", goal: "#ff77a8", target: "#ff77a8", start: "#c3cad6",
  lowered: "#2d9d8e", raisedKind: "#b8742f", refreshed: "#596170", inconsistent: "#8a7d1f", marked: "#ffb46b",
  text: "#e8eaf0", cursor: "#8ab4f8", grid: "#4a5160",
};

export function palette(dark) {
  const css = dark ? DARK : LIGHT;
  const rgb = Object.fromEntries(Object.entries(css).map(([name, text]) => [name, hex(text)]));
  return { css, rgb };
}

export function mix(a, b, share) {
  return [0, 1, 2].map((i) => Math.round(a[i] + (b[i] - a[i]) * share));
}

// Is a colour so light that dark letters are read better on it? (That of a pixel as it is stored.)
export function isLight(stored) {
  return 0.299 * (stored & 255) + 0.587 * ((stored >> 8) & 255) + 0.114 * ((stored >> 16) & 255) > 115;
}

// As a pixel of an image is stored.
export function pixel([r, g, b]) {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// Which colours a legend explains, for the layers that are shown.
export const LEGEND = [
  ["free", "seen, and free"],
  ["fog", "not seen yet: believed to be free"],
  ["wall", "blocked, and known to be"],
  ["ghost", "blocked in truth, not seen yet"],
  ["wrong", "believed blocked, but free in truth"],
  ["slow", "slow terrain"],
  ["closed", "expanded by this search, from the first to the last"],
  ["open", "open: may be expanded next"],
  ["lowered", "D* Lite: expanded, g falls"],
  ["raisedKind", "D* Lite: expanded, g rises"],
  ["refreshed", "D* Lite: a key brought up to date"],
  ["inconsistent", "D* Lite: inconsistent, g is not rhs"],
  ["raised", "h has been raised by learning: stronger for more"],
  ["marked", "close up: marked, for its h has been raised"],
  ["trail", "where the agent has been"],
  ["path", "the path ahead"],
  ["agent", "the agent"],
  ["goal", "the goal"],
  ["start", "the start"],
];

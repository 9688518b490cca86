// Colours, for a light and a dark page, and what each of them means.

function hex(text) {
  const n = parseInt(text.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

const LIGHT = {
  page: "#ffffff", free: "#ffffff", fog: "#dfe3ea", wall: "#2b303b", ghost: "#bcc4d2", slow: "#d9c9a3",
  wrong: "#e5484d", closed: "#8ec5ff", closedLate: "#2f7fd6", open: "#9be3b5", raised: "#ffd9a8", raisedMost: "#d9480f",
  trail: "#c9b6ea", path: "#7b2fd0", agent: "#5b16b8", goal: "#c2185b", target: "#c2185b", start: "#6b7280",
  lowered: "#63c7ba", raisedKind: "#f0a35e", refreshed: "#d0d4dc", text: "#1a1d24", cursor: "#0b57d0", grid: "#d4d8e0",
};
const DARK = {
  page: "#14161b", free: "#272b34", fog: "#191b21", wall: "#8b93a3", ghost: "#3a404d", slow: "#5d5133",
  wrong: "#ff6b6f", closed: "#1d4b7a", closedLate: "#4aa3ff", open: "#2b6b45", raised: "#5c3a1a", raisedMost: "#ff8c42",
  trail: "#4b3d69", path: "#c39bff", agent: "#dcc6ff", goal: "#ff77a8", target: "#ff77a8", start: "#9aa3b2",
  lowered: "#2d8d80", raisedKind: "#a8682c", refreshed: "#434a58", text: "#e8eaf0", cursor: "#8ab4f8", grid: "#363c48",
};

export function palette(dark) {
  const css = dark ? DARK : LIGHT;
  const rgb = Object.fromEntries(Object.entries(css).map(([name, text]) => [name, hex(text)]));
  return { css, rgb };
}

export function mix(a, b, share) {
  return [0, 1, 2].map((i) => Math.round(a[i] + (b[i] - a[i]) * share));
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
  ["closed", "expanded by this search: pale first, dark last"],
  ["open", "open: may be expanded next"],
  ["lowered", "D* Lite: expanded, g falls"],
  ["raisedKind", "D* Lite: expanded, g rises"],
  ["refreshed", "D* Lite: a key brought up to date"],
  ["raised", "h has been raised by learning: darker for more"],
  ["trail", "where the agent has been"],
  ["path", "the path ahead"],
  ["agent", "the agent"],
  ["goal", "the goal"],
  ["start", "the start"],
];

// The panes: for each agent its heading, counters, one or two pictures, and charts.

import { Charts } from "./charts.js";
import { Painter } from "./paint.js";

const WHYS = { reached: "has reached the goal", unreachable: "found no way", max_moves: "was stopped", max_seconds: "was stopped" };

function element(tag, attributes, parent) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else made.setAttribute(name, value);
  }
  parent.append(made);
  return made;
}

export class Pane {
  constructor(parent, track, view) {
    this.track = track;
    this.section = element("section", { class: "pane", "aria-label": track.about.name }, parent);
    const head = element("header", {}, this.section);
    this.heading = element("h2", { text: track.about.name, title: track.about.recipe }, head);
    this.counters = element("p", { class: "counters" }, head);
    const pictures = element("div", { class: "pictures" }, this.section);
    const shows = view === "side" ? ["truth", "belief"] : [view];
    this.painters = shows.map((what) => {
      const figure = element("figure", {}, pictures);
      const label = what === "truth" ? "the true map" : "what the agent believes";
      const canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": `${track.about.name}: ${label}` }, figure);
      if (shows.length > 1) element("figcaption", { text: what === "truth" ? "truth" : "belief" }, figure);
      return new Painter(canvas, track, what);
    });
    const chart = element("canvas", { class: "charts", role: "img", "aria-label": `${track.about.name}: charts` }, this.section);
    this.charts = new Charts(chart, track);
  }

  setColors(palette) {
    this.colors = palette.css;
    for (const painter of this.painters) painter.setColors(palette);
  }

  // As many pixels as the screen has there.
  resize() {
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [...this.painters.map((painter) => painter.canvas), this.charts.canvas]) {
      const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
    }
  }

  draw(camera, layers, hand, tick) {
    for (const painter of this.painters) painter.draw(camera, layers, hand);
    this.track.dirty.length = 0;
    this.charts.draw(this.colors, tick);
    const text = this.status();
    if (this.counters.textContent !== text) this.counters.textContent = this.counters.title = text;
  }

  status() {
    const frame = this.track.frame;
    if (!frame) return "";
    const [moves, episodes, expansions, cost, ns] = frame.counts;
    const n = (value) => Math.round(value).toLocaleString("en");
    const many = (count, thing, things = `${thing}s`) => `${n(count)} ${count === 1 ? thing : things}`;
    const words = [
      `step ${n(frame.step)}`, `cost ${(cost / this.track.world.unit).toFixed(1)}`, many(episodes, "search", "searches"),
      many(expansions, "expansion"), ns < 1e7 ? `${n(ns / 1000)} µs` : `${n(ns / 1e6)} ms`,
    ];
    if (frame.step > moves) words.splice(1, 0, many(frame.step - moves, "wait"));
    if (frame.why) words.push(WHYS[frame.why] || frame.why);
    else if (frame.episode && frame.episode[4] === "waiting") words.push("waits");
    else if (frame.episode && frame.episode[4] === "unreachable") words.push("knows no way, waits");
    return words.join(" · ");
  }

  cellAt(canvas, camera, px, py) {
    const world = this.track.world;
    const place = camera.place(world, canvas.clientWidth, canvas.clientHeight);
    const col = Math.floor((px - place.left) / place.scale), row = Math.floor((py - place.top) / place.scale);
    return row >= 0 && col >= 0 && row < world.rows && col < world.cols ? row * world.cols + col : -1;
  }
}

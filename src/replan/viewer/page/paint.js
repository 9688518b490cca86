// Draws one agent's view: an image with a pixel a cell, scaled, and lines, marks and numbers on top of it.

import { isLight, mix, pixel } from "./colors.js";
import { CLOSED, OPEN, costText } from "./model.js";

const TEXT_FROM = 44; // pixels a cell, to print g, h and f
const LINES_FROM = 14, MARKS_FROM = 9;
const INK = "#14161b", PAPER = "#ffffff"; // of numbers: whichever is read better on its cell

// What part of the map is seen, and how large. All panes share one.
export class Camera {
  constructor() {
    this.scale = 0; // 0: as large as fits
    this.x = 0;
    this.y = 0;
  }

  fit(world, width, height) {
    const scale = Math.min(width / world.cols, height / world.rows);
    return { scale, left: (width - world.cols * scale) / 2, top: (height - world.rows * scale) / 2 };
  }

  place(world, width, height) {
    if (!this.scale) return this.fit(world, width, height);
    return { scale: this.scale, left: width / 2 - this.x * this.scale, top: height / 2 - this.y * this.scale };
  }

  zoom(world, width, height, px, py, by) {
    const now = this.place(world, width, height);
    const scale = Math.max(this.fit(world, width, height).scale * 0.5, Math.min(120, now.scale * by));
    const cx = (px - now.left) / now.scale, cy = (py - now.top) / now.scale;
    this.scale = scale;
    this.x = cx + (width / 2 - px) / scale;
    this.y = cy + (height / 2 - py) / scale;
  }

  pan(world, width, height, dx, dy) {
    const now = this.place(world, width, height);
    this.scale = now.scale;
    this.x = (width / 2 - now.left - dx) / now.scale;
    this.y = (height / 2 - now.top - dy) / now.scale;
  }
}

export class Painter {
  // shows: "belief", "truth", or "both" (what is believed, and through the fog what is true)
  constructor(canvas, track, shows) {
    this.canvas = canvas;
    this.track = track;
    this.shows = shows;
    const { rows, cols } = track.world;
    this.image = document.createElement("canvas");
    this.image.width = cols;
    this.image.height = rows;
    this.on = this.image.getContext("2d", { alpha: false });
    this.data = this.on.createImageData(cols, rows);
    this.pixels = new Uint32Array(this.data.data.buffer);
    this.stale = true;
  }

  // What every colour is, worked out once for a theme.
  setColors(palette) {
    this.css = palette.css;
    const rgb = palette.rgb;
    this.rgb = rgb;
    this.heat = Array.from({ length: 17 }, (_, i) => mix(rgb.raised, rgb.raisedMost, i / 16));
    this.ranks = Array.from({ length: 17 }, (_, i) => mix(rgb.closed, rgb.closedLate, i / 16));
    this.stale = true;
  }

  cellColor(c, layers) {
    const t = this.track, rgb = this.rgb;
    const truth = t.truth[c], belief = t.belief[c];
    const value = this.shows === "truth" ? truth : belief;
    if (value === 0) return this.shows === "both" && truth !== 0 ? rgb.wrong : rgb.wall;
    let color = t.seen[c] || this.shows === "truth" ? rgb.free : rgb.fog;
    if (this.shows === "both" && truth === 0) color = rgb.ghost;
    if (value > 1) color = mix(color, rgb.slow, Math.min(1, 0.3 + value / 12));
    if (this.shows === "truth") return t.trail[c] && layers.trail ? mix(color, rgb.trail, 0.8) : color;
    if (layers.heat && t.raised[c] > 0) color = this.heat[Math.min(16, Math.ceil((16 * t.raised[c]) / t.mostRaised))];
    if (layers.trail && t.trail[c]) color = mix(color, rgb.trail, 0.75);
    if (layers.search) color = this.searchColor(c, color);
    return color;
  }

  searchColor(c, color) {
    const t = this.track, rank = t.rank[c];
    if (rank > 0 && rank <= t.shown) {
      if (t.kind[c] === 3) return mix(color, this.rgb.refreshed, 0.8);
      if (t.kind[c] > 0) return mix(color, t.kind[c] === 1 ? this.rgb.lowered : this.rgb.raisedKind, 0.8);
      return mix(color, this.ranks[Math.floor((16 * rank) / t.order.length)], 0.85);
    }
    if (rank === 0 && t.flags[c] & CLOSED) return mix(color, this.rgb.closed, 0.35);
    if (t.shown < t.order.length) return color;
    if (t.hasRhs && t.g[c] !== t.rhs[c]) return mix(color, this.rgb.inconsistent, 0.85);
    return t.flags[c] & OPEN ? mix(color, this.rgb.open, 0.85) : color;
  }

  // All cells. Most of a large map is bare terrain, of which there are few kinds.
  paintAll(layers) {
    const t = this.track, bare = new Map();
    for (let c = 0; c < this.pixels.length; c++) {
      const plain = t.trail[c] === 0 && t.rank[c] === 0 && t.flags[c] === 0 && t.raised[c] === 0 && t.g[c] === t.rhs[c];
      const kind = plain && t.truth[c] < 2 && t.belief[c] < 2 ? t.truth[c] + 2 * t.belief[c] + 4 * t.seen[c] : -1;
      let found = kind < 0 ? undefined : bare.get(kind);
      if (found === undefined) {
        found = pixel(this.cellColor(c, layers));
        if (kind >= 0) bare.set(kind, found);
      }
      this.pixels[c] = found;
    }
  }

  // Bring the image up to date: the cells that have changed, or all.
  refresh(layers) {
    const { rows, cols } = this.track.world;
    if (this.stale) {
      this.paintAll(layers);
      this.on.putImageData(this.data, 0, 0);
      this.stale = false;
      return;
    }
    let low = rows, high = -1, left = cols, right = -1;
    for (const cells of this.track.dirty) {
      for (let i = 0; i < cells.length; i++) {
        const c = cells[i], row = (c / cols) | 0, col = c - row * cols;
        this.pixels[c] = pixel(this.cellColor(c, layers));
        if (row < low) low = row;
        if (row > high) high = row;
        if (col < left) left = col;
        if (col > right) right = col;
      }
    }
    if (high >= 0) this.on.putImageData(this.data, 0, 0, left, low, right - left + 1, high - low + 1);
  }

  // hand: { cursor, pending }, the cell that is pointed at, and what is being drawn or dragged.
  draw(camera, layers, hand) {
    this.refresh(layers);
    const context = this.canvas.getContext("2d", { alpha: false });
    const ratio = this.canvas.width / this.canvas.clientWidth || 1;
    const width = this.canvas.width, height = this.canvas.height;
    const world = this.track.world;
    const place = camera.place(world, width / ratio, height / ratio);
    const view = { scale: place.scale * ratio, left: place.left * ratio, top: place.top * ratio, ratio };
    context.fillStyle = this.css.page;
    context.fillRect(0, 0, width, height);
    this.drawImage(context, view, width, height);
    if (place.scale >= LINES_FROM) this.drawLines(context, view, width, height);
    if (world.walls) this.drawWalls(context, view, width, height);
    if (place.scale >= MARKS_FROM && layers.heat && this.shows !== "truth") this.drawRaised(context, view, width, height);
    this.drawMarks(context, view, layers);
    if (place.scale >= TEXT_FROM && layers.numbers && this.shows !== "truth") this.drawNumbers(context, view, width, height);
    if (hand.pending) this.drawPending(context, view, hand.pending);
    if (hand.cursor >= 0) this.outline(context, view, hand.cursor, this.css.cursor, 2 * ratio);
  }

  // The rows and columns that are in view.
  inView(view, width, height) {
    const { rows, cols } = this.track.world;
    return {
      x0: Math.max(0, Math.floor(-view.left / view.scale)), y0: Math.max(0, Math.floor(-view.top / view.scale)),
      x1: Math.min(cols, Math.ceil((width - view.left) / view.scale)),
      y1: Math.min(rows, Math.ceil((height - view.top) / view.scale)),
    };
  }

  drawImage(context, view, width, height) {
    const { x0, y0, x1, y1 } = this.inView(view, width, height);
    if (x1 <= x0 || y1 <= y0) return;
    context.imageSmoothingEnabled = view.scale < 1;
    context.drawImage(
      this.image, x0, y0, x1 - x0, y1 - y0,
      view.left + x0 * view.scale, view.top + y0 * view.scale, (x1 - x0) * view.scale, (y1 - y0) * view.scale,
    );
  }

  drawLines(context, view, width, height) {
    const { rows, cols } = this.track.world;
    context.strokeStyle = this.css.grid;
    context.lineWidth = view.ratio;
    context.beginPath();
    for (let col = 0; col <= cols; col++) {
      const x = Math.round(view.left + col * view.scale) + 0.5;
      if (x < 0 || x > width) continue;
      context.moveTo(x, Math.max(0, view.top));
      context.lineTo(x, Math.min(height, view.top + rows * view.scale));
    }
    for (let row = 0; row <= rows; row++) {
      const y = Math.round(view.top + row * view.scale) + 0.5;
      if (y < 0 || y > height) continue;
      context.moveTo(Math.max(0, view.left), y);
      context.lineTo(Math.min(width, view.left + cols * view.scale), y);
    }
    context.stroke();
  }

  // Walls between cells: 1 on the right of one, 2 below it.
  drawWalls(context, view, width, height) {
    const { cols, walls } = this.track.world, { x0, y0, x1, y1 } = this.inView(view, width, height);
    context.strokeStyle = this.css.wall;
    context.lineWidth = Math.max(1.5 * view.ratio, view.scale * 0.12);
    context.beginPath();
    for (let row = y0; row < y1; row++) {
      for (let col = x0; col < x1; col++) {
        const wall = walls[row * cols + col];
        if (!wall) continue;
        const x = view.left + (col + 1) * view.scale, y = view.top + (row + 1) * view.scale;
        if (wall & 1) {
          context.moveTo(x, y - view.scale);
          context.lineTo(x, y);
        }
        if (wall & 2) {
          context.moveTo(x - view.scale, y);
          context.lineTo(x, y);
        }
      }
    }
    context.stroke();
  }

  // States that depression avoidance marks: h is above what it was at first.
  drawRaised(context, view, width, height) {
    const { cols } = this.track.world, { x0, y0, x1, y1 } = this.inView(view, width, height), raised = this.track.raised;
    const size = view.scale * 0.28;
    context.fillStyle = this.css.marked;
    context.beginPath();
    for (let row = y0; row < y1; row++) {
      for (let col = x0; col < x1; col++) {
        if (raised[row * cols + col] <= 0) continue;
        const x = view.left + (col + 1) * view.scale, y = view.top + (row + 1) * view.scale;
        context.moveTo(x, y);
        context.lineTo(x - size, y);
        context.lineTo(x, y - size);
      }
    }
    context.fill();
  }

  // What somebody is drawing or dragging, before the planners have answered.
  drawPending(context, view, { what, cells }) {
    const color = { wall: this.css.wall, door: this.css.wall, erase: this.css.free, slow: this.css.slow }[what];
    for (const c of cells) {
      if (c < 0) continue;
      const [x, y] = this.middle(view, c), half = Math.max(view.scale, 2 * view.ratio) / 2;
      context.fillStyle = color || (what === "start" ? this.css.start : this.css.goal);
      context.globalAlpha = 0.75;
      context.fillRect(x - half, y - half, 2 * half, 2 * half);
      context.globalAlpha = 1;
    }
  }

  middle(view, c) {
    const row = Math.floor(c / this.track.world.cols), col = c - row * this.track.world.cols;
    return [view.left + (col + 0.5) * view.scale, view.top + (row + 0.5) * view.scale];
  }

  outline(context, view, c, color, thick) {
    const [x, y] = this.middle(view, c);
    context.strokeStyle = color;
    context.lineWidth = thick;
    const size = Math.max(view.scale, 6 * view.ratio);
    context.strokeRect(x - size / 2, y - size / 2, size, size);
  }

  drawMarks(context, view, layers) {
    const frame = this.track.frame;
    if (!frame) return;
    const dot = Math.max(view.scale * (view.scale >= TEXT_FROM * view.ratio ? 0.2 : 0.36), 4 * view.ratio);
    if (layers.path && frame.path && this.shows !== "truth") {
      const thick = Math.max(1.6 * view.ratio, view.scale * 0.14);
      context.lineJoin = context.lineCap = "round";
      context.beginPath();
      context.moveTo(...this.middle(view, frame.at));
      for (const c of frame.path) context.lineTo(...this.middle(view, c));
      for (const [color, width] of [[this.css.page, 1.8 * thick], [this.css.path, thick]]) { // with an edge: on any colour
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
    }
    this.ring(context, view, this.track.world.start, dot, this.css.start);
    for (const c of frame.goal) this.flag(context, view, c, dot);
    const [x, y] = this.middle(view, frame.at);
    context.fillStyle = this.css.agent;
    context.strokeStyle = this.css.page;
    context.lineWidth = Math.max(1.5 * view.ratio, dot * 0.22);
    context.beginPath();
    context.arc(x, y, dot, 0, 2 * Math.PI);
    context.stroke();
    context.fill();
  }

  ring(context, view, c, dot, color) {
    const [x, y] = this.middle(view, c);
    context.strokeStyle = color;
    context.lineWidth = Math.max(1.5 * view.ratio, dot * 0.3);
    context.beginPath();
    context.arc(x, y, dot * 0.8, 0, 2 * Math.PI);
    context.stroke();
  }

  flag(context, view, c, dot) {
    const [x, y] = this.middle(view, c);
    context.fillStyle = this.css.goal;
    context.strokeStyle = this.css.page;
    context.lineWidth = Math.max(view.ratio, dot * 0.18);
    context.beginPath();
    for (let i = 0; i < 10; i++) {
      const angle = (Math.PI * (2 * i - 5)) / 10, r = (i % 2 ? 0.55 : 1.3) * dot;
      context.lineTo(x + r * Math.cos(angle), y + r * Math.sin(angle));
    }
    context.closePath();
    context.stroke();
    context.fill();
  }

  // As the papers print them: g above left, h above right, f below left; D* Lite's g above rhs.
  drawNumbers(context, view, width, height) {
    const t = this.track, { cols, unit } = t.world;
    const { x0, y0, x1, y1 } = this.inView(view, width, height);
    context.font = `${Math.round(view.scale * 0.2)}px system-ui, sans-serif`;
    context.textBaseline = "top";
    const pad = view.scale * 0.07;
    for (let row = y0; row < y1; row++) {
      for (let col = x0; col < x1; col++) {
        const c = row * cols + col;
        if (t.belief[c] === 0) continue;
        const left = view.left + col * view.scale + pad, top = view.top + row * view.scale + pad;
        const right = left + view.scale - 2 * pad, bottom = top + view.scale * 0.68;
        const h = t.h[c];
        context.fillStyle = isLight(this.pixels[c]) ? INK : PAPER;
        context.textAlign = "left";
        if (t.g[c] >= 0 || t.rhs[c] >= 0) context.fillText(costText(t.g[c], unit), left, top);
        if (t.hasRhs) {
          if (t.g[c] >= 0 || t.rhs[c] >= 0) context.fillText(costText(t.rhs[c], unit), left, bottom);
        } else if (t.g[c] >= 0 && h >= 0) {
          context.fillText(costText(t.g[c] + h, unit), left, bottom);
          context.textAlign = "right";
          context.fillText(costText(h, unit), right, top);
        }
      }
    }
  }
}

// What a cell is, in words.
export function describe(track, c) {
  const { cols, unit } = track.world;
  const row = Math.floor(c / cols), col = c - row * cols;
  const words = [`(${row}, ${col})`];
  const truth = track.truth[c], belief = track.belief[c];
  words.push(belief === 0 ? "believed blocked" : belief > 1 ? `believed weight ${belief}` : "believed free");
  if ((truth === 0) !== (belief === 0)) words.push(truth === 0 ? "blocked in truth" : "free in truth");
  if (!track.seen[c]) words.push("not seen yet");
  if (track.g[c] >= 0) words.push(`g ${costText(track.g[c], unit)}`);
  if (track.hasRhs && track.rhs[c] >= 0) words.push(`rhs ${costText(track.rhs[c], unit)}`);
  if (track.hasRhs && track.g[c] !== track.rhs[c]) words.push("inconsistent");
  if (!track.hasRhs && track.g[c] >= 0 && track.h[c] >= 0) {
    words.push(`h ${costText(track.h[c], unit)}`, `f ${costText(track.g[c] + track.h[c], unit)}`);
  }
  if (track.raised[c] > 0) words.push(`h raised by ${costText(track.raised[c], unit)}`);
  if (track.rank[c] > 0) words.push(`expanded as number ${track.rank[c]}`);
  else if (track.flags[c] & OPEN) words.push("open");
  if (track.trail[c]) words.push(track.trail[c] === 1 ? "visited once" : `visited ${track.trail[c]} times`);
  return words.join(", ");
}

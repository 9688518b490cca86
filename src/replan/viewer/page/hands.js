// Mouse, finger and keyboard: what they do to the page and to the world.

import { $ } from "./controls.js";
import { describe } from "./paint.js";

const LAYERS = ["search", "heat", "trail", "path", "numbers"];

export class Hands {
  constructor(app) {
    this.app = app;
    this.stroke = null; // cells that are being drawn
    this.dragged = null; // "start" or "goal"
    this.panning = false;
    const click = (id, action) => $(id).addEventListener("click", action);
    click("play", () => app.play(!app.playing));
    click("to-start", () => app.jump(0));
    click("to-end", () => app.jump(app.model.lastTick));
    click("back", () => app.step(-1));
    click("forth", () => app.step(1));
    click("episode", () => app.episode(1));
    click("episode-back", () => app.episode(-1));
    click("expansion", () => app.expansion(1));
    click("expansion-back", () => app.expansion(-1));
    click("fit", () => app.fit());
    click("zoom-in", () => app.zoom(1.5));
    click("zoom-out", () => app.zoom(1 / 1.5));
    click("help", () => $("keys").showModal());
    click("close-keys", () => $("keys").close());
    $("time").addEventListener("input", () => app.jump(parseInt($("time").value, 10)));
    $("speed-of-play").addEventListener("input", () => ($("speed-text").textContent = `${Number(app.speed.toPrecision(2))} steps a second`));
    for (const name of LAYERS) $(`layer-${name}`).addEventListener("change", () => app.restyle());
    $("view").addEventListener("change", () => app.rebuild());
    $("let-target").addEventListener("change", () => app.edit(["target", $("let-target").value, parseFloat($("speed").value) || 0.5]));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { app } = this;
    if (event.ctrlKey || event.altKey || event.metaKey || !app.model) return;
    const typing = event.target.closest("input, select, textarea, dialog");
    const onMap = event.target.closest(".pictures");
    if (event.key === "Escape" && typing) event.target.blur();
    if (typing || (event.target.closest("button, summary") && (event.key === " " || event.key === "Enter"))) return;
    if (onMap && event.shiftKey === false && this.moveCursor(event)) return event.preventDefault();
    const actions = {
      " ": () => app.play(!app.playing), ArrowRight: () => app.step(1), ArrowLeft: () => app.step(-1),
      n: () => app.step(1), p: () => app.step(-1), e: () => app.episode(1), E: () => app.episode(-1),
      x: () => app.expansion(1), X: () => app.expansion(-1), Home: () => app.jump(0), End: () => app.jump(app.model.lastTick),
      "+": () => app.zoom(1.5), "-": () => app.zoom(1 / 1.5), 0: () => app.fit(), "?": () => $("keys").showModal(),
      "]": () => this.faster(1), "[": () => this.faster(-1),
    };
    if (actions[event.key]) {
      event.preventDefault();
      actions[event.key]();
    }
  }

  faster(by) {
    const input = $("speed-of-play");
    input.value = parseFloat(input.value) + by;
    input.dispatchEvent(new Event("input"));
  }

  // A cursor on the map that arrow keys move; Enter uses the tool there.
  moveCursor(event) {
    const { app } = this, { rows, cols } = app.model.world;
    const moves = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    if (event.key === "Enter") {
      if (app.cursor >= 0) this.use([app.cursor]);
      return true;
    }
    if (!(event.key in moves)) return false;
    const at = app.cursor >= 0 ? app.cursor : app.model.tracks[0].frame.at;
    const row = Math.max(0, Math.min(rows - 1, Math.floor(at / cols) + moves[event.key][0]));
    const col = Math.max(0, Math.min(cols - 1, (at % cols) + moves[event.key][1]));
    app.cursor = row * cols + col;
    app.hoverPane = app.panes.findIndex((pane) => pane.section.contains(event.target));
    $("live").textContent = describe(app.model.tracks[Math.max(0, app.hoverPane)], app.cursor);
    app.changed = true;
    return true;
  }

  // Follow what a pointer does on a picture.
  hear(pane, canvas) {
    const { app } = this;
    const cell = (event) => pane.cellAt(canvas, app.camera, event.offsetX, event.offsetY);
    canvas.addEventListener("pointermove", (event) => {
      app.hoverPane = app.panes.indexOf(pane);
      app.cursor = cell(event);
      if (this.panning) {
        app.camera.pan(app.model.world, canvas.clientWidth, canvas.clientHeight, event.movementX, event.movementY);
      } else if (this.stroke && app.cursor >= 0) {
        this.stroke.push(...line(this.stroke[this.stroke.length - 1], app.cursor, app.model.world.cols));
      }
      app.pending = this.dragged ? { what: this.dragged, cells: [app.cursor] } : this.stroke && { what: $("tool").value, cells: this.stroke };
      app.changed = true;
    });
    canvas.addEventListener("pointerleave", () => {
      app.cursor = -1;
      app.changed = true;
    });
    canvas.addEventListener("pointerdown", (event) => this.press(event, pane, canvas, cell(event)));
    canvas.addEventListener("pointerup", (event) => {
      const c = cell(event);
      if (this.dragged && c >= 0) this.drop(this.dragged, c);
      if (this.stroke) this.use([...new Set(this.stroke)]);
      this.release();
    });
    canvas.addEventListener("pointercancel", () => this.release());
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const by = Math.exp(-event.deltaY / 300);
        app.camera.zoom(app.model.world, canvas.clientWidth, canvas.clientHeight, event.offsetX, event.offsetY, by);
        app.changed = true;
      },
      { passive: false },
    );
  }

  press(event, pane, canvas, c) {
    const { app } = this, tool = $("tool").value;
    canvas.setPointerCapture(event.pointerId);
    if (event.button !== 0 || tool === "look" || !app.editable || c < 0) {
      const frame = pane.track.frame;
      if (event.button === 0 && app.editable && frame && c >= 0) this.dragged = this.grabbed(c, frame, canvas);
      this.panning = !this.dragged;
    } else {
      this.stroke = [c];
    }
  }

  release() {
    this.stroke = this.dragged = this.app.pending = null;
    this.panning = false;
    this.app.changed = true;
  }

  // Is this cell, or one close by, the goal or the start?
  grabbed(c, frame, canvas) {
    const { cols, start } = this.app.model.world;
    const { scale } = this.app.camera.place(this.app.model.world, canvas.clientWidth, canvas.clientHeight);
    const reach = Math.ceil(8 / scale);
    const near = (a) => Math.abs(Math.floor(a / cols) - Math.floor(c / cols)) <= reach && Math.abs((a % cols) - (c % cols)) <= reach;
    if (frame.goal.some(near)) return "goal";
    return near(start) ? "start" : null;
  }

  drop(what, c) {
    const { app } = this;
    if (what === "goal") app.edit(["retarget", app.cellOf(c)]);
    else app.restart({ ...app.settings, start: app.cellOf(c), edits: [] });
  }

  // What the chosen tool does with these cells.
  use(cells) {
    const { app } = this, tool = $("tool").value;
    if (!app.editable) return;
    if (tool === "goal" || tool === "start") return this.drop(tool, cells[cells.length - 1]);
    const truth = app.model.tracks[0].truth;
    const to = { wall: "blocked", erase: "free", slow: 5, door: truth[cells[0]] === 0 ? "free" : "blocked" }[tool];
    if (to === undefined) return;
    if (tool === "door") cells = cells.slice(0, 1);
    app.edit(["change", cells.map((c) => app.cellOf(c)), to]);
  }
}

// The cells between two cells, without the first.
function line(from, to, cols) {
  let [r, c] = [Math.floor(from / cols), from % cols];
  const [r1, c1] = [Math.floor(to / cols), to % cols];
  const found = [];
  while (r !== r1 || c !== c1) {
    r += Math.sign(r1 - r);
    c += Math.sign(c1 - c);
    found.push(r * cols + c);
  }
  return found;
}

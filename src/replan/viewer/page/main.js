// The page: puts the parts together, plays, and answers to mouse and keyboard.

import { LEGEND, palette } from "./colors.js";
import { $, Form, fromPermalink, permalink } from "./controls.js";
import { Model } from "./model.js";
import { Camera, describe } from "./paint.js";
import { Pane } from "./panes.js";
import { LiveSource, SavedSource } from "./sources.js";

const AHEAD = 240; // ticks to have in hand while playing
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

class App {
  constructor() {
    this.model = null;
    this.panes = [];
    this.camera = new Camera();
    this.playing = false;
    this.owed = 0; // parts of a tick
    this.cursor = -1;
    this.changed = true;
    this.wanted = null; // a tick to go to as soon as it has come
    this.stroke = null; // cells that are being drawn
    this.times = []; // of drawing, for measuring
    const on = {
      opened: (world) => this.open(world),
      frame: (frame) => this.model.add(frame),
      cut: (tick) => this.model.cut(tick),
      state: (state) => this.settle(state),
      error: (text) => this.say(text, true),
      closed: () => this.say("The server has gone. What has been played can still be looked at.", true),
    };
    const saved = document.getElementById("frames");
    this.source = saved ? new SavedSource(on, saved.textContent) : new LiveSource(on);
    document.body.classList.toggle("live", this.source.live);
    this.listen();
    this.legend();
    this.begin();
    requestAnimationFrame((now) => this.loop(now));
  }

  async begin() {
    if (!this.source.live) {
      await this.source.begin();
      return;
    }
    const choices = await (await fetch("choices")).json();
    this.form = new Form(choices, (settings) => this.restart(settings));
    const linked = fromPermalink();
    if (linked) this.wanted = linked.tick || 0;
    this.autoplay = !linked && !calm.matches;
    this.source.begin(linked || (choices.recorded ? null : choices.settings));
  }

  restart(settings) {
    this.say("");
    this.playing = false;
    this.camera.scale = 0;
    this.autoplay = !calm.matches;
    this.source.begin(settings);
  }

  open(world) {
    this.model = new Model(world);
    this.settings = world.settings;
    if (this.form) {
      this.form.write(world.settings);
      this.form.upload = null;
    }
    this.rebuild();
    this.say(world.note || "");
  }

  settle(state) {
    if (this.wanted !== null && this.model) {
      this.model.seek(this.wanted);
      if (this.model.lastTick >= this.wanted || state.ended) this.wanted = null;
      else this.source.more(AHEAD);
    }
    if (this.settings && this.source.live) this.settings = { ...this.settings, edits: state.edits };
    if (this.autoplay) {
      this.autoplay = false;
      this.play(true);
    }
    if (this.seeking) this.episode(1);
    if (this.afterEdit) {
      this.afterEdit = false;
      this.go(1);
    }
    this.changed = true;
  }

  rebuild() {
    const parent = $("panes");
    parent.replaceChildren();
    parent.dataset.count = this.model.tracks.length;
    this.arrange();
    this.panes = this.model.tracks.map((track) => new Pane(parent, track, $("view").value));
    this.theme();
    for (const pane of this.panes) for (const painter of pane.painters) this.hear(pane, painter.canvas);
    this.resize();
  }

  theme() {
    const chosen = palette(dark.matches);
    for (const pane of this.panes) pane.setColors(chosen);
    this.legend();
    this.changed = true;
  }

  // Side by side or one below the other, whichever shows the maps larger.
  arrange() {
    const parent = $("panes"), count = this.model.tracks.length;
    const { rows, cols } = this.model.world;
    const pictures = $("view").value === "side" ? 2 : 1;
    const size = (wide) => {
      const width = parent.clientWidth / wide / pictures, height = parent.clientHeight / Math.ceil(count / wide) - 130;
      return Math.min(width / cols, height / rows);
    };
    const best = [1, 2, 3, 4].filter((wide) => wide <= count).reduce((a, b) => (size(b) > size(a) ? b : a));
    parent.style.gridTemplateColumns = `repeat(${best}, minmax(0, 1fr))`;
  }

  resize() {
    if (this.model) this.arrange();
    for (const pane of this.panes) pane.resize();
    this.changed = true;
  }

  get layers() {
    const found = {};
    for (const name of ["search", "heat", "trail", "path", "numbers"]) found[name] = $(`layer-${name}`).checked;
    return found;
  }

  restyle() {
    for (const pane of this.panes) for (const painter of pane.painters) painter.stale = true;
    this.changed = true;
  }

  // Time.

  loop(now) {
    const passed = Math.min(100, now - (this.before || now));
    this.before = now;
    if (this.model && this.playing) {
      this.owed += (passed * this.speed) / 1000;
      const ticks = Math.floor(this.owed);
      this.owed -= ticks;
      if (ticks > 0 && !this.go(ticks) && this.source.ended) this.play(false);
      if (this.model.lastTick - this.model.tick < AHEAD) this.source.more(AHEAD);
    }
    if (this.model && this.changed) this.draw();
    requestAnimationFrame((next) => this.loop(next));
  }

  draw() {
    this.changed = false;
    const start = performance.now();
    const layers = this.layers;
    for (const pane of this.panes) pane.draw(this.camera, layers, this.cursor, this.model.tick);
    this.times.push(performance.now() - start);
    if (this.times.length > 600) this.times.shift();
    const slider = $("time");
    slider.max = this.model.lastTick;
    slider.value = this.model.tick;
    $("tick").textContent = `${this.model.tick.toLocaleString("en")} of ${this.model.lastTick.toLocaleString("en")}${this.source.ended ? "" : "…"}`;
    if (this.cursor >= 0 && this.panes.length) $("readout").textContent = describe(this.model.tracks[this.hoverPane || 0], this.cursor);
  }

  get speed() {
    return 2 ** parseFloat($("speed-of-play").value);
  }

  play(on) {
    this.playing = on;
    this.seeking = false;
    $("play").textContent = on ? "Pause" : "Play";
    $("play").setAttribute("aria-pressed", on);
    if (!on) this.tell();
  }

  // Ticks onwards (or back). False at the end of what has come.
  go(ticks) {
    const before = this.model.tick;
    this.model.seek(before + ticks);
    this.changed = true;
    if (ticks > 0 && this.model.tick < before + ticks) {
      if (!this.source.ended && !this.playing) this.wanted = before + ticks;
      this.source.more(AHEAD);
    }
    return this.model.tick !== before;
  }

  step(ticks) {
    this.play(false);
    this.go(ticks);
    this.tell();
  }

  episode(by) {
    this.play(false);
    const found = this.model.nextEpisode(this.model.tick, by);
    this.seeking = found === null && by > 0 && !this.source.ended; // it has not come yet
    if (this.seeking) this.source.more(AHEAD);
    if (found !== null) this.model.seek(found);
    this.changed = true;
    this.tell();
  }

  // One expansion of the search of this moment; after the last one, the next search from its first.
  expansion(by) {
    this.play(false);
    const tracks = this.model.tracks;
    if (by > 0 && this.fresh !== this.model.tick) {
      this.fresh = this.model.tick;
      for (const track of tracks) track.hideEpisode();
    } else if (!tracks.map((track) => track.expand(by)).some(Boolean)) {
      const found = this.model.nextEpisode(this.model.tick, by);
      if (found !== null) {
        this.model.seek(found);
        this.fresh = found;
        if (by > 0) for (const track of tracks) track.hideEpisode();
      }
    }
    this.changed = true;
    const shown = tracks.map((track) => `${track.about.name}: expansion ${track.shown} of ${track.order.length}`);
    $("readout").textContent = shown.join("; ");
  }

  // For those who listen instead of looking.
  tell() {
    $("live").textContent = this.panes.map((pane) => `${pane.track.about.name}: ${pane.status()}`).join(". ");
  }

  say(text, bad = false) {
    const note = $("note");
    note.textContent = text;
    note.hidden = !text;
    note.classList.toggle("bad", bad);
  }

  // Hands.

  listen() {
    const click = (id, action) => $(id).addEventListener("click", action);
    click("play", () => this.play(!this.playing));
    click("to-start", () => this.jump(0));
    click("to-end", () => this.jump(this.model.lastTick));
    click("back", () => this.step(-1));
    click("forth", () => this.step(1));
    click("episode", () => this.episode(1));
    click("episode-back", () => this.episode(-1));
    click("expansion", () => this.expansion(1));
    click("expansion-back", () => this.expansion(-1));
    click("fit", () => this.fit());
    click("zoom-in", () => this.zoom(1.5));
    click("zoom-out", () => this.zoom(1 / 1.5));
    click("link", () => this.share());
    click("png", () => this.png());
    click("help", () => $("keys").showModal());
    click("close-keys", () => $("keys").close());
    $("time").addEventListener("input", () => this.jump(parseInt($("time").value, 10)));
    $("speed-of-play").addEventListener("input", () => ($("speed-text").textContent = `${Number(this.speed.toPrecision(2))} steps a second`));
    for (const name of ["search", "heat", "trail", "path", "numbers"]) $(`layer-${name}`).addEventListener("change", () => this.restyle());
    $("view").addEventListener("change", () => this.rebuild());
    window.addEventListener("resize", () => this.resize());
    dark.addEventListener("change", () => this.theme());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  jump(tick) {
    this.play(false);
    this.model.seek(tick);
    this.changed = true;
    this.tell();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.model) return;
    const typing = event.target.closest("input, select, textarea, dialog");
    const onMap = event.target.closest(".pictures");
    if (event.key === "Escape" && typing) event.target.blur();
    if (typing || (event.target.closest("button") && (event.key === " " || event.key === "Enter"))) return;
    if (onMap && event.shiftKey === false && this.moveCursor(event)) return event.preventDefault();
    const actions = {
      " ": () => this.play(!this.playing), ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      n: () => this.step(1), p: () => this.step(-1), e: () => this.episode(1), E: () => this.episode(-1),
      x: () => this.expansion(1), X: () => this.expansion(-1), Home: () => this.jump(0), End: () => this.jump(this.model.lastTick),
      "+": () => this.zoom(1.5), "-": () => this.zoom(1 / 1.5), 0: () => this.fit(), "?": () => $("keys").showModal(),
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
    const { rows, cols } = this.model.world;
    const moves = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    if (event.key === "Enter") {
      if (this.cursor >= 0) this.use([this.cursor]);
      return true;
    }
    if (!(event.key in moves)) return false;
    const at = this.cursor >= 0 ? this.cursor : this.model.tracks[0].frame.at;
    const row = Math.max(0, Math.min(rows - 1, Math.floor(at / cols) + moves[event.key][0]));
    const col = Math.max(0, Math.min(cols - 1, (at % cols) + moves[event.key][1]));
    this.cursor = row * cols + col;
    this.hoverPane = this.panes.findIndex((pane) => pane.section.contains(event.target));
    $("live").textContent = describe(this.model.tracks[Math.max(0, this.hoverPane)], this.cursor);
    this.changed = true;
    return true;
  }

  hear(pane, canvas) {
    const cell = (event) => pane.cellAt(canvas, this.camera, event.offsetX, event.offsetY);
    canvas.addEventListener("pointermove", (event) => {
      this.hoverPane = this.panes.indexOf(pane);
      this.cursor = cell(event);
      if (this.panning) {
        this.camera.pan(this.model.world, canvas.clientWidth, canvas.clientHeight, event.movementX, event.movementY);
      } else if (this.stroke && this.cursor >= 0) {
        this.stroke.push(...line(this.stroke[this.stroke.length - 1], this.cursor, this.model.world.cols));
      }
      this.changed = true;
    });
    canvas.addEventListener("pointerleave", () => {
      this.cursor = -1;
      this.changed = true;
    });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      const tool = $("tool").value, c = cell(event);
      if (event.button !== 0 || tool === "look" || !this.source.live || c < 0) {
        this.panning = true;
        const frame = pane.track.frame;
        if (event.button === 0 && this.source.live && frame && c >= 0) this.dragged = this.grabbed(c, frame);
        if (this.dragged) this.panning = false;
      } else {
        this.stroke = [c];
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      const c = cell(event);
      if (this.dragged && c >= 0) this.drop(this.dragged, c);
      if (this.stroke) this.use([...new Set(this.stroke)]);
      this.stroke = this.dragged = null;
      this.panning = false;
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const by = Math.exp(-event.deltaY / 300);
        this.camera.zoom(this.model.world, canvas.clientWidth, canvas.clientHeight, event.offsetX, event.offsetY, by);
        this.changed = true;
      },
      { passive: false },
    );
  }

  // Is this cell, or one close by, the goal or the start?
  grabbed(c, frame) {
    const { cols, start } = this.model.world;
    const reach = Math.max(0, Math.ceil(6 / this.camera.place(this.model.world, innerWidth / 2, innerHeight / 2).scale));
    const near = (a) => Math.abs(Math.floor(a / cols) - Math.floor(c / cols)) <= reach && Math.abs((a % cols) - (c % cols)) <= reach;
    if (frame.goal.some(near)) return "goal";
    return near(start) ? "start" : null;
  }

  cellOf(c) {
    const cols = this.model.world.cols;
    return [Math.floor(c / cols), c % cols];
  }

  drop(what, c) {
    if (what === "goal") this.edit(["retarget", this.cellOf(c)]);
    else this.restart({ ...this.settings, start: this.cellOf(c), edits: [] });
  }

  // What the chosen tool does with these cells.
  use(cells) {
    if (!this.source.live) return;
    const tool = $("tool").value;
    if (tool === "goal") return this.edit(["retarget", this.cellOf(cells[cells.length - 1])]);
    if (tool === "start") return this.drop("start", cells[cells.length - 1]);
    const truth = this.model.tracks[0].truth;
    let to = { wall: "blocked", erase: "free", slow: 5, door: truth[cells[0]] === 0 ? "free" : "blocked" }[tool];
    if (to === undefined) return;
    if (tool === "door") cells = cells.slice(0, 1);
    this.edit(["change", cells.map((c) => this.cellOf(c)), to]);
  }

  edit(edit) {
    this.say("");
    this.afterEdit = true;
    this.source.edit(this.model.tick, edit);
  }

  zoom(by) {
    const canvas = this.panes[0].painters[0].canvas;
    const frame = this.model.tracks[0].frame;
    const place = this.camera.place(this.model.world, canvas.clientWidth, canvas.clientHeight);
    const [row, col] = this.cellOf(this.cursor >= 0 ? this.cursor : frame.at);
    this.camera.zoom(
      this.model.world, canvas.clientWidth, canvas.clientHeight,
      place.left + (col + 0.5) * place.scale, place.top + (row + 0.5) * place.scale, by,
    );
    this.changed = true;
  }

  fit() {
    this.camera.scale = 0;
    this.changed = true;
  }

  async share() {
    if (this.form && this.form.choices.maps.indexOf(this.settings.map) < 0) {
      this.say("This map is a file of yours, which a link cannot hold. Save the story instead, or a page.", true);
      return;
    }
    const link = permalink(this.settings, this.model.tick);
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      this.say("The link to this moment is in the address bar and on the clipboard.");
    } catch {
      this.say("The link to this moment is in the address bar.");
    }
  }

  png() {
    const canvases = this.panes.flatMap((pane) => pane.painters.map((painter) => painter.canvas));
    const wide = canvases.length > 1 ? 2 : 1, width = canvases[0].width, height = canvases[0].height;
    const sheet = document.createElement("canvas");
    sheet.width = wide * width;
    sheet.height = Math.ceil(canvases.length / wide) * height;
    const context = sheet.getContext("2d");
    canvases.forEach((canvas, i) => context.drawImage(canvas, (i % wide) * width, Math.floor(i / wide) * height));
    sheet.toBlob((blob) => download("replan.png", blob));
  }

  legend() {
    const colors = palette(dark.matches).css;
    $("legend").replaceChildren(
      ...LEGEND.map(([name, meaning]) => {
        const item = document.createElement("li");
        const sample = document.createElement("span");
        sample.className = "sample";
        sample.style.background = name === "raised" ? `linear-gradient(90deg, ${colors.raised}, ${colors.raisedMost})` : colors[name];
        if (name === "closed") sample.style.background = `linear-gradient(90deg, ${colors.closed}, ${colors.closedLate})`;
        item.append(sample, meaning);
        return item;
      }),
    );
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

function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

window.replan = new App();

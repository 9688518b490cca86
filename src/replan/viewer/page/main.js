// The page: puts the parts together, and plays.

import { LEGEND, palette } from "./colors.js";
import { $, Form, fromPermalink } from "./controls.js";
import { Hands } from "./hands.js";
import { Model } from "./model.js";
import { Camera, describe } from "./paint.js";
import { Pane } from "./panes.js";
import { Share, download } from "./share.js";
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
    this.pending = null; // what is being drawn or dragged: { what, cells }
    this.times = []; // of drawing, for measuring
    const on = {
      opened: (world) => this.open(world),
      frame: (frame) => this.model.add(frame),
      cut: (tick) => this.model.cut(tick),
      state: (state) => this.settle(state),
      file: (frame) => download(frame.name, new Blob([frame.content])),
      error: (text) => this.fail(text),
      closed: () => this.fail("The server has gone. What has been played can still be looked at."),
    };
    const saved = document.getElementById("frames");
    this.source = saved ? new SavedSource(on, saved.textContent) : new LiveSource(on);
    document.body.classList.toggle("live", this.source.live);
    this.hands = new Hands(this);
    this.share = new Share(this);
    new ResizeObserver(() => this.resize()).observe($("panes"));
    dark.addEventListener("change", () => this.theme());
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
    this.source.begin(linked || (choices.story ? null : choices.settings));
  }

  restart(settings) {
    this.restarting();
    this.source.begin(settings);
  }

  restarting() {
    this.say("");
    this.play(false);
    this.camera.scale = 0;
    this.autoplay = !calm.matches;
  }

  fail(text) {
    this.wanted = null;
    this.autoplay = false;
    this.play(false);
    this.share.stop(text);
    this.say(text, true);
  }

  open(world) {
    this.model = new Model(world);
    this.settings = world.settings;
    document.body.classList.toggle("recorded", Boolean(world.settings.recorded));
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
    if (this.settings && this.source.live) {
      this.settings = { ...this.settings, edits: state.edits };
      const moved = state.edits.filter((edit) => edit[1] === "target").pop();
      $("let-target").value = moved ? moved[2] : this.settings.target;
    }
    if (this.autoplay) {
      this.autoplay = false;
      this.play(true);
    }
    if (this.seeking) this.episode(1);
    this.changed = true;
  }

  rebuild() {
    const parent = $("panes");
    parent.replaceChildren();
    parent.dataset.count = this.model.tracks.length;
    this.arrange();
    this.panes = this.model.tracks.map((track) => new Pane(parent, track, $("view").value));
    this.theme();
    for (const pane of this.panes) for (const painter of pane.painters) this.hands.hear(pane, painter.canvas);
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
    for (const pane of this.panes) pane.draw(this.camera, layers, { cursor: this.cursor, pending: this.pending }, this.model.tick);
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
    if (!on && this.model) this.tell();
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

  // Where in time.

  jump(tick) {
    this.play(false);
    this.model.seek(tick);
    this.changed = true;
    this.tell();
  }

  // Changes.

  // Can the world be changed? Not in a saved page, nor in a story that was opened.
  get editable() {
    return this.source.live && !this.settings.recorded;
  }

  cellOf(c) {
    const cols = this.model.world.cols;
    return [Math.floor(c / cols), c % cols];
  }

  edit(edit) {
    this.say("");
    this.wanted = this.model.tick + 1;
    this.source.edit(this.model.tick, edit);
  }

  // Where to look.

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

window.replan = new App();

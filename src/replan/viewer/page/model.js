// What is known of the world and of each agent at the moment that is shown, forwards and backwards in time.

export const OPEN = 1;
export const CLOSED = 2;

// One agent: its frames, and all values as they are after frame number `cursor`.
export class Track {
  constructor(world, about) {
    const cells = world.rows * world.cols;
    this.world = world;
    this.about = about;
    this.frames = [];
    this.cursor = -1;
    this.truth = new Uint16Array(world.truth);
    this.belief = new Uint16Array(world.belief);
    this.seen = new Uint8Array(cells);
    if (world.sensor === "everything") this.seen.fill(1);
    this.trail = new Uint16Array(cells); // how often the agent has been there
    this.flags = new Uint8Array(cells);
    this.rank = new Int32Array(cells); // in the order of expansion of this episode, from 1
    this.kind = new Uint8Array(cells);
    this.g = new Int32Array(cells).fill(-1);
    this.h = new Int32Array(cells).fill(-1);
    this.rhs = new Int32Array(cells).fill(-1);
    this.raised = new Int32Array(cells);
    this.mostRaised = 1;
    this.order = [];
    this.shown = 0; // expansions of this episode that are shown
    this.met = []; // cells with a g of this search
    this.hasRhs = false;
    this.dirty = [];
    this.allDirty = true;
    this.undone = []; // how to take back each frame
  }

  get frame() {
    return this.cursor >= 0 ? this.frames[this.cursor] : null;
  }

  get last() {
    return this.frames.length - 1;
  }

  // Put values into an array, and remember those before.
  put(array, cells, values, undo) {
    if (!cells || !cells.length) return;
    const old = new array.constructor(cells.length);
    const single = typeof values === "number";
    for (let i = 0; i < cells.length; i++) {
      const c = cells[i];
      old[i] = array[c];
      array[c] = single ? values : values[i];
    }
    undo.push([array, cells, old]);
    this.dirty.push(cells);
  }

  forward() {
    if (this.cursor >= this.last) return false;
    this.finishEpisode();
    const frame = this.frames[++this.cursor];
    const undo = [];
    const kept = { order: this.order, met: this.met, shown: this.shown, mostRaised: this.mostRaised };
    this.put(this.belief, frame.believed, frame.believed_to, undo);
    this.put(this.truth, frame.changed, frame.changed_to, undo);
    this.put(this.seen, frame.seen, 1, undo);
    this.put(this.trail, [frame.at], Math.min(65535, this.trail[frame.at] + 1), undo);
    if (frame.episode) this.takeEpisode(frame, undo);
    this.undone[this.cursor] = [undo, kept];
    return true;
  }

  takeEpisode(frame, undo) {
    this.put(this.rank, this.order, 0, undo);
    this.put(this.kind, this.order, 0, undo);
    this.order = frame.order || [];
    const ranks = Int32Array.from(this.order, (_, i) => i + 1);
    this.put(this.rank, this.order, ranks, undo);
    if (frame.kinds) this.put(this.kind, this.order, frame.kinds, undo);
    this.shown = this.order.length;
    if (frame.reset) {
      this.put(this.g, this.met, -1, undo);
      this.put(this.flags, this.met, 0, undo);
      this.met = [];
    }
    if (!frame.states) return;
    this.put(this.g, frame.states, frame.g, undo);
    this.put(this.flags, frame.states, frame.flags, undo);
    if (frame.h) this.put(this.h, frame.states, frame.h, undo);
    if (frame.rhs) {
      this.put(this.rhs, frame.states, frame.rhs, undo);
      this.hasRhs = true;
    }
    if (frame.raised) {
      this.put(this.raised, frame.states, frame.raised, undo);
      for (const r of frame.raised) if (r > this.mostRaised) this.mostRaised = r;
    }
    this.met = this.met.concat(Array.from(frame.states));
  }

  back() {
    if (this.cursor < 0) return false;
    const [undo, kept] = this.undone[this.cursor];
    for (let i = undo.length - 1; i >= 0; i--) {
      const [array, cells, old] = undo[i];
      for (let j = cells.length - 1; j >= 0; j--) array[cells[j]] = old[j];
      this.dirty.push(cells);
    }
    this.undone[this.cursor--] = null;
    Object.assign(this, kept);
    this.shown = this.order.length;
    return true;
  }

  // One expansion more, or fewer, of the episode of this moment. False at its end.
  expand(by) {
    const next = this.shown + by;
    if (next < 0 || next > this.order.length) return false;
    this.dirty.push([this.order[by > 0 ? this.shown : next]]);
    this.shown = next;
    return true;
  }

  // Show the expansions of this episode from the first on.
  hideEpisode() {
    if (!this.frame || !this.frame.episode) return;
    this.dirty.push(this.order);
    this.shown = 0;
  }

  finishEpisode() {
    if (this.shown < this.order.length) this.dirty.push(this.order);
    this.shown = this.order.length;
  }

  // To the last frame at or before this tick.
  seek(tick) {
    while (this.cursor < this.last && this.frames[this.cursor + 1].tick <= tick) this.forward();
    while (this.cursor > 0 && this.frames[this.cursor].tick > tick) this.back();
  }

  // Forget what came after a tick: somebody has changed the past.
  cut(tick) {
    this.seek(tick);
    this.frames.length = this.cursor + 1;
    this.undone.length = this.cursor + 1;
  }
}

// All agents of a session, at the same tick.
export class Model {
  constructor(world) {
    this.world = world;
    this.tick = 0;
    this.tracks = world.planners.map((about) => new Track(world, about));
  }

  add(frame) {
    const track = this.tracks[frame.who];
    track.frames.push(frame);
    if (frame.tick === 0) track.seek(0);
  }

  get lastTick() {
    return Math.max(0, ...this.tracks.map((track) => (track.last >= 0 ? track.frames[track.last].tick : 0)));
  }

  seek(tick) {
    this.tick = Math.max(0, Math.min(tick, this.lastTick));
    for (const track of this.tracks) track.seek(this.tick);
  }

  cut(tick) {
    for (const track of this.tracks) track.cut(tick);
    this.tick = Math.min(this.tick, tick);
  }

  // The next tick at which somebody searches, null if it has not come yet.
  nextEpisode(from, by) {
    let found = null;
    for (const track of this.tracks) {
      for (let i = by > 0 ? 0 : track.last; i >= 0 && i <= track.last; i += by) {
        const frame = track.frames[i];
        if ((frame.tick - from) * by > 0 && frame.episode) {
          if (found === null || (found - frame.tick) * by > 0) found = frame.tick;
          break;
        }
      }
    }
    return found;
  }
}

export function costText(ticks, unit) {
  return ticks < 0 ? "∞" : (ticks / unit).toFixed(ticks % unit ? 1 : 0);
}

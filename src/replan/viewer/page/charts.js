// Three small charts of one agent: what it has paid, how far each search went, how long each took.

const POINTS = 400;

export class Charts {
  constructor(canvas, track) {
    this.canvas = canvas;
    this.track = track;
    this.known = 0; // frames that are in the lists
    this.clear();
  }

  clear() {
    this.known = 0;
    this.ticks = [];
    this.cost = [];
    this.searches = []; // [tick, expansions, microseconds]
  }

  takeIn() {
    const frames = this.track.frames;
    if (frames.length < this.known) this.clear();
    for (; this.known < frames.length; this.known++) {
      const frame = frames[this.known];
      this.ticks.push(frame.tick);
      this.cost.push(frame.counts[3] / this.track.world.unit);
      if (frame.episode) this.searches.push([frame.tick, frame.episode[0], frame.episode[2] / 1000]);
    }
  }

  draw(colors, upTo) {
    this.takeIn();
    const context = this.canvas.getContext("2d", { alpha: false });
    const ratio = this.canvas.width / this.canvas.clientWidth || 1;
    const width = this.canvas.width / 3, height = this.canvas.height;
    context.fillStyle = colors.page;
    context.fillRect(0, 0, this.canvas.width, height);
    const end = Math.max(1, upTo);
    const seen = this.searches.filter(([tick]) => tick <= upTo);
    const costs = this.ticks.map((tick, i) => [tick, this.cost[i]]).filter(([tick]) => tick <= upTo);
    this.one(context, 0, width, height, ratio, colors, "cost", thinned(costs), end, colors.agent, true);
    const budget = this.track.about.most;
    const effort = seen.map(([tick, n]) => [tick, n]);
    this.one(context, width, width, height, ratio, colors, "expansions", thinned(effort), end, colors.closedLate, false, budget);
    const times = seen.map(([tick, , us]) => [tick, us]);
    this.one(context, 2 * width, width, height, ratio, colors, "µs a search", thinned(times), end, colors.goal, false);
  }

  one(context, left, width, height, ratio, colors, title, points, end, color, line, limit) {
    const top = 16 * ratio, low = height - 3 * ratio, gap = 6 * ratio;
    const most = Math.max(1e-9, limit || 0, ...points.map(([, y]) => y));
    const x = (tick) => left + gap + ((width - 2 * gap) * tick) / end;
    const y = (value) => low - ((low - top) * value) / most;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.fillStyle = colors.text;
    context.textBaseline = "top";
    context.textAlign = "left";
    const last = points.length ? points[points.length - 1][1] : 0;
    const said = Number.isInteger(last) || last >= 100 ? Math.round(last).toLocaleString("en") : last.toFixed(1);
    context.fillText(`${title} ${said}`, left + gap, 0);
    context.strokeStyle = colors.grid;
    context.lineWidth = ratio;
    context.strokeRect(left + gap, top, width - 2 * gap, low - top);
    if (limit) {
      context.setLineDash([3 * ratio, 3 * ratio]);
      context.beginPath();
      context.moveTo(x(0), y(limit));
      context.lineTo(x(end), y(limit));
      context.stroke();
      context.setLineDash([]);
    }
    context.strokeStyle = context.fillStyle = color;
    if (line) {
      context.lineWidth = 1.5 * ratio;
      context.beginPath();
      for (const [tick, value] of points) context.lineTo(x(tick), y(value));
      context.stroke();
    } else {
      const bar = Math.max(ratio, (width - 2 * gap) / Math.max(40, points.length) / 2);
      for (const [tick, value] of points) context.fillRect(x(tick) - bar / 2, y(value), bar, low - y(value));
    }
  }
}

// At most so many points that a screen can show: of each group the largest.
function thinned(points) {
  if (points.length <= POINTS) return points;
  const size = points.length / POINTS, found = [];
  for (let i = 0; i < POINTS; i++) {
    const group = points.slice(Math.floor(i * size), Math.floor((i + 1) * size));
    found.push(group.reduce((a, b) => (b[1] > a[1] ? b : a)));
  }
  found.push(points[points.length - 1]);
  return found;
}

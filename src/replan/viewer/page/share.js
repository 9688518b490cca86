// What leaves the page, and what comes into it: links, pictures, animations, stories.

import { $, asUpload, permalink } from "./controls.js";
import { Gif } from "./gif.js";

const MOST_FRAMES = 150, WIDEST = 960, TRIP_SECONDS = 12, LAST_SECONDS = 2;
const MOST_MOVES = 20000; // that an animation waits for

export class Share {
  constructor(app) {
    this.app = app;
    this.working = false;
    this.stopped = ""; // why an animation is not finished
    $("link").addEventListener("click", () => this.link());
    $("png").addEventListener("click", () => this.png());
    $("gif").addEventListener("click", () => this.gif());
    $("save-story").addEventListener("click", () => app.source.save());
    $("story-file").addEventListener("change", () => this.openStory());
  }

  async link() {
    const { app } = this;
    if (app.settings.recorded || app.form.choices.maps.indexOf(app.settings.map) < 0) {
      app.say("This map is a file of yours, which a link cannot hold. Save the story instead, or a page.", true);
      return;
    }
    const link = permalink(app.settings, app.model.tick);
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      app.say("The link to this moment is in the address bar and on the clipboard.");
    } catch {
      app.say("The link to this moment is in the address bar.");
    }
  }

  async openStory() {
    const file = $("story-file").files[0];
    if (!file) return;
    this.app.restarting();
    this.app.source.open(await asUpload(file));
    $("story-file").value = "";
  }

  // All panes as they are arranged on the page, each below its name and counters.
  sheet(widest) {
    const panes = this.app.panes, ratio = window.devicePixelRatio || 1;
    const boxes = panes.map((pane) => pane.section.getBoundingClientRect());
    const left = Math.min(...boxes.map((box) => box.left)), top = Math.min(...boxes.map((box) => box.top));
    const full = (Math.max(...boxes.map((box) => box.right)) - left) * ratio;
    const scale = Math.min(1, widest / full) * ratio;
    const made = document.createElement("canvas");
    made.width = Math.round((full / ratio) * scale);
    made.height = Math.round((Math.max(...boxes.map((box) => box.bottom)) - top) * scale);
    const context = made.getContext("2d", { willReadFrequently: true });
    context.fillStyle = panes[0].colors.page;
    context.fillRect(0, 0, made.width, made.height);
    panes.forEach((pane, i) => {
      const place = (element) => {
        const box = element.getBoundingClientRect();
        return [(box.left - left) * scale, (box.top - top) * scale, box.width * scale, box.height * scale];
      };
      for (const canvas of pane.section.querySelectorAll("canvas")) context.drawImage(canvas, ...place(canvas));
      context.textBaseline = "middle";
      for (const [element, font] of [[pane.heading, "bold 15px"], [pane.counters, "12px"]]) {
        const [x, y, width, height] = place(element);
        context.fillStyle = pane.colors.text;
        context.font = `${font.replace(/\d+/, (size) => Math.round(size * scale))} system-ui, sans-serif`;
        context.fillText(element.textContent, x, y + height / 2, made.width / panes.length + width);
      }
      context.strokeStyle = pane.colors.grid;
      context.strokeRect(...place(pane.section));
    });
    return made;
  }

  png() {
    this.app.draw();
    this.sheet(Infinity).toBlob((blob) => download("replan.png", blob));
  }

  stop(reason) {
    this.working = false;
    this.stopped = reason;
  }

  // The whole trip; what has not come yet is waited for.
  async gif() {
    const { app } = this, { model, source } = app;
    if (this.working) {
      this.stop("The animation was stopped.");
      return;
    }
    this.working = true;
    this.stopped = "";
    app.play(false);
    const here = model.tick, button = $("gif");
    button.textContent = "Stop";
    while (this.working && !source.ended && model.lastTick < MOST_MOVES) {
      source.more(512);
      app.say(`Animation: ${model.lastTick.toLocaleString("en")} moves so far`);
      await pause(30);
    }
    const last = model.lastTick, count = Math.min(MOST_FRAMES, last + 1);
    let gif = null;
    for (let i = 0; i < count && this.working; i++) {
      model.seek(count > 1 ? Math.round((last * i) / (count - 1)) : 0);
      app.draw();
      const sheet = this.sheet(WIDEST);
      gif = gif || new Gif(sheet.width, sheet.height);
      const seconds = i === count - 1 ? LAST_SECONDS : Math.min(0.4, Math.max(0.04, TRIP_SECONDS / count));
      gif.add(sheet.getContext("2d").getImageData(0, 0, gif.width, gif.height).data, Math.round(100 * seconds));
      app.say(`Animation: picture ${i + 1} of ${count}`);
      await pause(0);
    }
    model.seek(here);
    app.changed = true;
    app.say(this.stopped, Boolean(this.stopped));
    if (this.working) download("replan.gif", gif.blob());
    this.working = false;
    button.textContent = "GIF";
  }
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

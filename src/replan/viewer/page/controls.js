// The form: which map, planners, sensor; and a permalink that holds all of it.

const SIMPLE = ["map", "rows", "cols", "seed", "neighbors", "corners", "sensor", "known", "target", "speed"];
const WHOLE = new Set(["rows", "cols", "seed", "neighbors"]);

export function $(id) {
  return document.getElementById(id);
}

export class Form {
  constructor(choices, onBegin) {
    this.choices = choices;
    this.upload = null;
    const maps = $("map");
    for (const name of choices.maps) maps.add(new Option(name.startsWith("new-") ? `new: ${name.slice(4)}` : `built in: ${name}`, name));
    if (choices.own_map) maps.add(new Option(`your map: ${choices.settings.map}`, choices.settings.map));
    for (const spec of choices.planners) {
      const option = new Option(spec.name, spec.slug);
      option.title = spec.about;
      $("planner-choice").add(option);
    }
    $("planner-choice").value = "rtaa";
    this.write(choices.settings);
    $("settings").addEventListener("submit", (event) => {
      event.preventDefault();
      onBegin(this.read());
    });
    $("add-planner").addEventListener("click", () => this.addPlanner($("planner-choice").value));
    $("planner-choice").addEventListener("change", () => this.explain());
    $("map-file").addEventListener("change", () => this.takeFile(onBegin));
    $("map").addEventListener("change", () => (this.upload = null));
    this.explain();
  }

  explain() {
    const spec = this.choices.planners.find((one) => one.slug === $("planner-choice").value);
    const options = Object.entries(spec.options).map(([name, value]) => `${name}=${value === null ? "none" : value}`);
    $("planner-about").textContent = `${spec.about}${options.length ? `. Options: ${options.join(", ")}` : ""}`;
  }

  addPlanner(slug) {
    const lines = $("planners").value.split("\n").filter((line) => line.trim());
    const spec = this.choices.planners.find((one) => one.slug === slug);
    const look = spec && "lookahead" in spec.options && spec.options.lookahead !== null;
    lines.push(look ? `${slug}:lookahead=${spec.options.lookahead}` : slug);
    $("planners").value = lines.slice(-4).join("\n");
  }

  async takeFile(onBegin) {
    const file = $("map-file").files[0];
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    this.upload = { name: file.name, data: btoa(text) };
    const settings = this.read();
    settings.map = file.name;
    settings.start = settings.goal = null;
    onBegin(settings);
    $("map-file").value = "";
  }

  write(settings) {
    for (const name of SIMPLE) {
      const input = $(name);
      if (name === "map" && ![...input.options].some((one) => one.value === settings.map)) {
        input.add(new Option(`your map: ${settings.map}`, settings.map));
      }
      input.value = String(settings[name]);
    }
    $("planners").value = settings.planners.join("\n");
    this.start = settings.start;
    this.goal = settings.goal;
    this.shown = settings;
  }

  // What the form says. Start and goal stay only where the map does.
  read() {
    const found = { edits: [] };
    for (const name of SIMPLE) {
      const text = $(name).value;
      found[name] = WHOLE.has(name) ? parseInt(text, 10) : name === "speed" ? parseFloat(text) : text;
    }
    found.planners = $("planners").value.split("\n").map((line) => line.trim()).filter(Boolean);
    const same = ["map", "rows", "cols", "seed"].every((name) => found[name] === this.shown[name]);
    found.start = same ? this.start : null;
    found.goal = same ? this.goal : null;
    if (this.upload) found.upload = this.upload;
    return found;
  }
}

export function permalink(settings, tick) {
  const { upload, ...kept } = settings;
  return `${location.origin}${location.pathname}#${encodeURIComponent(JSON.stringify({ ...kept, tick }))}`;
}

export function fromPermalink() {
  if (location.hash.length < 2) return null;
  try {
    return JSON.parse(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}

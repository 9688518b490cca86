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
    $("add-planner").addEventListener("click", () => this.addPlanner());
    $("planner-choice").addEventListener("change", () => this.explain());
    $("map-file").addEventListener("change", () => this.takeFile(onBegin));
    $("map").addEventListener("change", () => (this.upload = null));
    this.explain();
  }

  get spec() {
    return this.choices.planners.find((one) => one.slug === $("planner-choice").value);
  }

  // The planner that may be added: what it is, and a field for each of its options.
  explain() {
    $("planner-about").textContent = this.spec.about;
    $("planner-options").replaceChildren(...this.spec.options.map((option) => field(option)));
  }

  addPlanner() {
    const lines = $("planners").value.split("\n").filter((line) => line.trim());
    const chosen = [...$("planner-options").querySelectorAll("[data-option]")]
      .map((input) => [input.dataset.option, input.type === "checkbox" ? String(input.checked) : input.value.trim(), input.dataset.usual])
      .filter(([name, value, usual]) => value !== usual || name === "lookahead")
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `${name}=${value}`);
    lines.push(chosen.length ? `${this.spec.slug}:${chosen.join(",")}` : this.spec.slug);
    $("planners").value = lines.slice(-4).join("\n");
  }

  async takeFile(onBegin) {
    const file = $("map-file").files[0];
    if (!file) return;
    this.upload = await asUpload(file);
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

// An input for an option of a planner.
function field({ name, meaning, usual, words }) {
  const label = document.createElement("label");
  const input = document.createElement(words.length ? "select" : "input");
  for (const word of words) input.add(new Option(word, word));
  if (typeof usual === "boolean") {
    input.type = "checkbox";
    input.checked = usual;
  } else {
    input.value = usual === null ? "" : String(usual);
    if (usual === null) input.placeholder = "none";
  }
  input.dataset.option = name;
  input.dataset.usual = usual === null ? "" : String(usual);
  label.title = meaning;
  label.append(`${name} `, input);
  return label;
}

// A file that somebody has chosen, as it is sent.
export async function asUpload(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return { name: file.name, data: btoa(text) };
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

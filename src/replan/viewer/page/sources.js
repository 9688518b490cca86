// Where frames come from: a server that plans while we look, or the page itself.

import { inflate, unpack } from "./frames.js";

// on: { opened(frame), frame(frame), file(frame), cut(tick), state(state), error(text), closed() }
export class LiveSource {
  constructor(on) {
    this.on = on;
    this.live = true;
    this.waiting = false; // for an answer
    this.ended = false;
    this.edits = [];
    const url = new URL("watch", location.href);
    url.protocol = "ws:";
    url.hash = "";
    this.socket = new WebSocket(url);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = () => on.closed();
    this.ready = new Promise((done) => (this.socket.onopen = done));
  }

  async ask(message) {
    await this.ready;
    this.waiting = true;
    this.socket.send(JSON.stringify(message));
  }

  begin(settings) {
    this.ended = false; // until the server says so
    return this.ask({ do: "begin", settings });
  }

  // A story from its file.
  open(upload) {
    this.ended = false;
    return this.ask({ do: "open", upload });
  }

  // The stories so far, as files.
  save() {
    return this.ask({ do: "save" });
  }

  // As many ticks more, unless an answer is on its way.
  more(ticks) {
    if (!this.waiting && !this.ended) this.ask({ do: "advance", ticks });
  }

  edit(tick, edit) {
    return this.ask({ do: "edit", tick, edit, tag: tick });
  }

  receive(data) {
    if (typeof data !== "string") {
      const frame = unpack(data);
      if (frame.kind === "world") this.on.opened(frame);
      else if (frame.kind === "file") this.on.file(frame);
      else this.on.frame(frame);
      return;
    }
    const said = JSON.parse(data);
    if (said.starting === "edit") this.on.cut(said.tag);
    if (said.starting) return;
    this.waiting = false;
    if (said.error) {
      this.on.error(said.error);
      return;
    }
    this.ended = said.ended;
    this.edits = said.edits;
    this.on.state(said);
  }
}

export class SavedSource {
  constructor(on, text) {
    this.on = on;
    this.live = false;
    this.waiting = false;
    this.ended = true;
    this.edits = [];
    this.text = text;
  }

  async begin() {
    const frames = await inflate(this.text);
    for (const frame of frames) {
      if (frame.kind === "world") this.on.opened(frame);
      else this.on.frame(frame);
    }
    this.on.state({ ended: true, edits: [] });
  }

  more() {}
}

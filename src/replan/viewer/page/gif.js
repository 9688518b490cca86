// Writes an animated GIF: a palette for each picture, and of each only what differs from the one before.

const CLEAR = 256, STOP = 257, MOST_CODES = 4096, SAME = 255; // SAME: the index of what has not changed

export class Gif {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.parts = [];
    this.before = null; // the pixels of the last picture
    this.codes = new Uint16Array(MOST_CODES * 256);
    this.bytes(..."GIF89a".split("").map((sign) => sign.charCodeAt(0)));
    this.short(width, height);
    this.bytes(0x70, 0, 0); // no palette for all
    this.bytes(0x21, 0xff, 11, ..."NETSCAPE2.0".split("").map((sign) => sign.charCodeAt(0)), 3, 1, 0, 0, 0); // again and again
  }

  bytes(...values) {
    this.parts.push(Uint8Array.from(values));
  }

  short(...values) {
    for (const value of values) this.bytes(value & 255, value >> 8);
  }

  // pixels: as getImageData has them. hundredths: of a second that it is shown.
  add(pixels, hundredths) {
    const now = new Uint32Array(pixels.buffer, pixels.byteOffset, this.width * this.height);
    const { palette, indices } = reduced(now, this.before);
    this.bytes(0x21, 0xf9, 4, this.before ? 5 : 4); // stays where it is; SAME is transparent but in the first one
    this.short(hundredths);
    this.bytes(SAME, 0, 0x2c);
    this.short(0, 0, this.width, this.height);
    this.bytes(0x87);
    this.parts.push(palette);
    this.compress(indices);
    this.before = now.slice();
  }

  // The LZW of GIF: codes of 9 to 12 bits, in blocks of at most 255 bytes.
  compress(indices) {
    const out = new Uint8Array(indices.length + 1024), codes = this.codes;
    let size = 0, held = 0, bits = 0, width = 9, next = STOP + 1;
    const put = (code) => {
      held |= code << bits;
      for (bits += width; bits >= 8; bits -= 8, held >>>= 8) out[size++] = held & 255;
    };
    codes.fill(0);
    put(CLEAR);
    let prefix = indices[0];
    for (let i = 1; i < indices.length; i++) {
      const key = (prefix << 8) | indices[i], known = codes[key];
      if (known) {
        prefix = known;
        continue;
      }
      put(prefix);
      if (next < MOST_CODES) {
        if (next === 1 << width) width++;
        codes[key] = next++;
      } else {
        put(CLEAR);
        codes.fill(0);
        width = 9;
        next = STOP + 1;
      }
      prefix = indices[i];
    }
    put(prefix);
    put(STOP);
    if (bits) out[size++] = held & 255;
    this.bytes(8);
    for (let at = 0; at < size; at += 255) {
      const block = out.subarray(at, Math.min(size, at + 255));
      this.bytes(block.length);
      this.parts.push(block.slice());
    }
    this.bytes(0);
  }

  blob() {
    return new Blob([...this.parts, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}

// At most 255 colours, the most frequent ones, and for each pixel which of them is nearest.
function reduced(now, before) {
  const counts = new Map();
  for (let i = 0; i < now.length; i++) if (!before || now[i] !== before[i]) counts.set(now[i], (counts.get(now[i]) || 0) + 1);
  const chosen = [...counts].sort((a, b) => b[1] - a[1]).slice(0, SAME).map(([color]) => color);
  const index = new Map(chosen.map((color, i) => [color, i]));
  const palette = new Uint8Array(768);
  chosen.forEach((color, i) => palette.set([color & 255, (color >> 8) & 255, (color >> 16) & 255], 3 * i));
  const indices = new Uint8Array(now.length);
  for (let i = 0; i < now.length; i++) {
    if (before && now[i] === before[i]) {
      indices[i] = SAME;
      continue;
    }
    let found = index.get(now[i]);
    if (found === undefined) index.set(now[i], (found = nearest(now[i], palette, chosen.length)));
    indices[i] = found;
  }
  return { palette, indices };
}

function nearest(color, palette, count) {
  let best = 0, least = Infinity;
  for (let i = 0; i < count; i++) {
    const r = palette[3 * i] - (color & 255), g = palette[3 * i + 1] - ((color >> 8) & 255), b = palette[3 * i + 2] - ((color >> 16) & 255);
    const far = r * r + g * g + b * b;
    if (far < least) [best, least] = [i, far];
  }
  return best;
}

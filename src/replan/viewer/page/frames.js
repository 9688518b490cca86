// Messages: a line of JSON and arrays of numbers. The other end is frames.py.

const ARRAYS = { i32: Int32Array, d32: Int32Array, u16: Uint16Array, u8: Uint8Array, b1: Uint8Array };

// One message as an object: its fields, and its arrays among them.
export function unpack(buffer, offset = 0) {
  const size = new DataView(buffer, offset, 4).getUint32(0, true);
  const frame = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, offset + 4, size)));
  let at = offset + 4 + size;
  for (const [name, kind, length] of frame.arrays) {
    const Kind = ARRAYS[kind];
    const bytes = kind === "b1" ? Math.ceil(length / 8) : length * Kind.BYTES_PER_ELEMENT;
    const numbers = new Kind(buffer.slice(at, at + bytes));
    if (kind === "d32") for (let i = 1; i < length; i++) numbers[i] += numbers[i - 1];
    frame[name] = kind === "b1" ? bits(numbers, length) : numbers;
    at += Math.ceil(bytes / 4) * 4;
  }
  delete frame.arrays;
  return frame;
}

// Numbers from bits, the first in the highest of a byte.
function bits(bytes, length) {
  const found = new Uint8Array(length);
  for (let i = 0; i < length; i++) found[i] = (bytes[i >> 3] >> (7 - (i & 7))) & 1;
  return found;
}

// Messages one after the other, each behind its length.
export function unpackAll(buffer) {
  const found = [];
  const view = new DataView(buffer);
  for (let at = 0; at < buffer.byteLength; ) {
    const size = view.getUint32(at, true);
    found.push(unpack(buffer.slice(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return found;
}

// What a saved page holds: deflated messages as base64 text.
export async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return unpackAll(await new Response(stream).arrayBuffer());
}

/**
 * Messages as bytes, for the WebSocket: what structured clone carries on the desktop, exactly. Typed arrays keep their
 * type, NaN, ±∞ and −0 their value, and any string may be a key.
 *
 * A frame is the length of a JSON header in bytes (uint32, little endian), the header, padding to a multiple of 8, and
 * the bytes of the typed arrays one after the other, each padded likewise. What JSON lacks stands in the header as an
 * object whose one key is `$`; keys of the message that begin with `$` get one more.
 */

const typedArrays = { Float64Array, Float32Array, Int32Array, Uint32Array, Uint8Array } as const;
type TypedArrayName = keyof typeof typedArrays;
type TypedArray = InstanceType<(typeof typedArrays)[TypedArrayName]>;

const pad = (length: number): number => Math.ceil(length / 8) * 8;

function typedArrayName(value: object): TypedArrayName | undefined {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return Object.hasOwn(typedArrays, name) ? (name as TypedArrayName) : undefined;
}

/** Defines rather than assigns: `__proto__` is a key like any other. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

export function encode(message: unknown): Uint8Array<ArrayBuffer> {
  const arrays: TypedArray[] = [];
  let length = 0;

  const write = (value: unknown): unknown => {
    switch (typeof value) {
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : { $: Object.is(value, -0) ? '-0' : String(value) };
      case 'string':
      case 'boolean':
      case 'undefined':
        return value;
      case 'object': {
        if (value === null) return null;
        if (Array.isArray(value)) return value.map((item) => (item === undefined ? { $: 'undefined' } : write(item)));
        const name = typedArrayName(value);
        if (name) {
          const array = value as TypedArray;
          const at = length;
          arrays.push(array);
          length += pad(array.byteLength);
          return { $: name, at, length: array.length };
        }
        const copy = {};
        for (const [key, item] of Object.entries(value))
          define(copy, key.startsWith('$') ? `$${key}` : key, write(item));
        return copy;
      }
      default:
        throw new TypeError(`A message cannot carry a ${typeof value}.`);
    }
  };

  const header = new TextEncoder().encode(JSON.stringify(write(message)));
  const start = pad(4 + header.length);
  const frame = new Uint8Array(start + length);
  new DataView(frame.buffer).setUint32(0, header.length, true);
  frame.set(header, 4);
  let at = start;
  for (const array of arrays) {
    frame.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += pad(array.byteLength);
  }
  return frame;
}

/** Throws a TypeError, RangeError or SyntaxError on bytes that are no frame. */
export function decode(frame: Uint8Array): unknown {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const headerLength = view.getUint32(0, true);
  if (4 + headerLength > frame.length) throw new RangeError('The frame is shorter than its header.');
  const start = pad(4 + headerLength);

  const read = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(read);
    const entries = Object.entries(value);
    const special = entries.find(([key]) => key === '$')?.[1];
    if (special !== undefined) return readSpecial(special, value);
    const copy = {};
    for (const [key, item] of entries) define(copy, key.startsWith('$$') ? key.slice(1) : key, read(item));
    return copy;
  };

  const readSpecial = (special: unknown, { at, length }: { at?: unknown; length?: unknown }): unknown => {
    switch (special) {
      case 'NaN':
      case 'Infinity':
      case '-Infinity':
      case '-0':
        return Number(special);
      case 'undefined':
        return undefined;
      default: {
        if (
          typeof special !== 'string' ||
          !Object.hasOwn(typedArrays, special) ||
          typeof at !== 'number' ||
          typeof length !== 'number'
        )
          throw new TypeError('The frame holds a value of unknown type.');
        const array = new typedArrays[special as TypedArrayName](length);
        const bytes = frame.subarray(start + at, start + at + array.byteLength);
        if (bytes.length !== array.byteLength) throw new RangeError('The frame is shorter than its arrays.');
        new Uint8Array(array.buffer).set(bytes);
        return array;
      }
    }
  };

  return read(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(frame.subarray(4, 4 + headerLength))));
}

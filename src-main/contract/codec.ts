/**
 * Messages as bytes, for the WebSocket, and the replies of workers in both hosts: what structured clone would carry, exactly.
 * Typed arrays keep their type, NaN, ±∞ and −0 their value, and any string may be a key.
 *
 * A frame is the length of a JSON header in bytes (uint32, little endian), the header, padding to a multiple of 8, and
 * the bytes of the typed arrays one after the other, each padded likewise. What JSON lacks stands in the header as an
 * object whose one key is `$`; keys of the message that begin with `$` get one more. A long list of numbers travels as
 * bytes too, and is a list again where it arrives: as text 1,000 of them take 0.16 ms there and back, so 0.01.
 */

const typedArrays = { Float64Array, Float32Array, Int32Array, Uint32Array, Uint8Array } as const;
type TypedArrayName = keyof typeof typedArrays;
type TypedArray = InstanceType<(typeof typedArrays)[TypedArrayName]>;

/** What stands for a list of numbers, and from how many on. */
const list = 'numbers';
const longList = 16;

const pad = (length: number): number => Math.ceil(length / 8) * 8;

function typedArrayName(value: object): TypedArrayName | undefined {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return Object.hasOwn(typedArrays, name) ? (name as TypedArrayName) : undefined;
}

/** Defines rather than assigns: `__proto__` is a key like any other. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function isLongList(items: readonly unknown[]): items is number[] {
  if (items.length < longList) return false;
  for (let i = 0; i < items.length; i++) if (typeof items[i] !== 'number') return false;
  return true;
}

/** `Array.from` goes through an iterator: 150 ns a number, this 3. */
function listOf(numbers: ArrayLike<number>): number[] {
  const items = new Array<number>(numbers.length);
  for (let i = 0; i < items.length; i++) items[i] = numbers[i]!;
  return items;
}

/** As JSON has it. `place` takes a typed array and says what stands for it; long lists of numbers too, where it knows them. */
function plain(
  value: unknown,
  place: (array: TypedArray, name: TypedArrayName | typeof list) => object,
  lists = false,
): unknown {
  const write = (item: unknown): unknown => {
    switch (typeof item) {
      case 'number':
        return Number.isFinite(item) && !Object.is(item, -0) ? item : { $: Object.is(item, -0) ? '-0' : String(item) };
      case 'string':
      case 'boolean':
        return item;
      case 'undefined':
        return { $: 'undefined' };
      case 'object': {
        if (item === null) return null;
        if (Array.isArray(item))
          return lists && isLongList(item) ? place(new Float64Array(item), list) : item.map(write);
        const name = typedArrayName(item);
        if (name) return place(item as TypedArray, name);
        const copy = {};
        for (const [key, entry] of Object.entries(item))
          define(copy, key.startsWith('$') ? `$${key}` : key, write(entry));
        return copy;
      }
      default:
        throw new TypeError(`A message cannot carry a ${typeof item}.`);
    }
  };
  return write(value);
}

/** What `plain` was given. `placed` gives back the array for which something stands; undefined where there can be none. */
function revived(
  value: unknown,
  placed: (name: string, at: unknown, length: unknown) => TypedArray | number[] | undefined,
): unknown {
  const read = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    if (Array.isArray(item)) return item.map(read);
    const entries = Object.entries(item);
    const special = entries.find(([key]) => key === '$')?.[1];
    if (special !== undefined) return readSpecial(special, item);
    const copy = {};
    for (const [key, entry] of entries) define(copy, key.startsWith('$$') ? key.slice(1) : key, read(entry));
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
        const array = typeof special === 'string' ? placed(special, at, length) : undefined;
        if (!array) throw new TypeError('The frame holds a value of unknown type.');
        return array;
      }
    }
  };

  return read(value);
}

/** A value as text: NaN, ±∞, −0 and undefined stay what they are, and a typed array stands there as its numbers. */
export function toJson(value: unknown): string {
  const nowhere = (): never => {
    throw new TypeError('An array of numbers holds no other.');
  };
  return JSON.stringify(plain(value, (array, $) => ({ $, at: plain(Array.from(array), nowhere) })));
}

/** Throws a SyntaxError or TypeError on what `toJson` has not written. */
export function fromJson(text: string): unknown {
  const numbers = (at: unknown): number[] | undefined => {
    const read = revived(at, () => undefined);
    return Array.isArray(read) && read.every((item) => typeof item === 'number') ? read : undefined;
  };
  return revived(JSON.parse(text), (name, at) => {
    const values = numbers(at);
    return values && Object.hasOwn(typedArrays, name) ? typedArrays[name as TypedArrayName].from(values) : undefined;
  });
}

export function encode(message: unknown): Uint8Array<ArrayBuffer> {
  const arrays: TypedArray[] = [];
  let length = 0;
  const place = (array: TypedArray, name: string): object => {
    const at = length;
    arrays.push(array);
    length += pad(array.byteLength);
    return { $: name, at, length: array.length };
  };
  const header = new TextEncoder().encode(JSON.stringify(plain(message, place, true)));
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

  const placed = (name: string, at: unknown, length: unknown): TypedArray | number[] | undefined => {
    if (name === list) {
      const numbers = placed('Float64Array', at, length);
      return numbers && listOf(numbers);
    }
    if (!Object.hasOwn(typedArrays, name) || typeof at !== 'number' || typeof length !== 'number') return undefined;
    const kind = typedArrays[name as TypedArrayName];
    if (!(at >= 0 && length >= 0 && start + at + length * kind.BYTES_PER_ELEMENT <= frame.length))
      throw new RangeError('The frame is shorter than its arrays.');
    const array = new kind(length);
    const bytes = frame.subarray(start + at, start + at + array.byteLength);
    new Uint8Array(array.buffer).set(bytes);
    return array;
  };

  const header = new TextDecoder('utf-8', { fatal: true }).decode(frame.subarray(4, 4 + headerLength));
  return revived(JSON.parse(header), placed);
}

/**
 * The order of numbers. A sort by comparison asks a function some n·log n times; of long arrays each number is moved six
 * times at most, digit by digit of an image of it that ascends as numbers do (a radix sort, the least digit first).
 */

/** Numbers of which a sort by comparison is done before their digits have been counted. */
const FEW = 2000;
const BITS = 11;
const DIGITS = 6;
const VALUES = 1 << BITS;

/**
 * Of these places in `values`, all unless said, those of smaller values first; of equal ones the first comes first, −0 is 0,
 * and NaN comes last.
 */
export function ascending(values: ArrayLike<number>, places: Uint32Array = upTo(values.length)): Uint32Array {
  if (isAscending(values, places)) return places;
  return places.length < FEW ? byComparison(values, places) : byDigits(values, places);
}

/** 0, 1, … n − 1. */
export function upTo(n: number): Uint32Array {
  const places = new Uint32Array(n);
  for (let i = 0; i < n; i++) places[i] = i;
  return places;
}

function isAscending(values: ArrayLike<number>, places: Uint32Array): boolean {
  for (let i = 1; i < places.length; i++) if (!(values[places[i - 1]!]! <= values[places[i]!]!)) return false;
  return true;
}

function byComparison(values: ArrayLike<number>, places: Uint32Array): Uint32Array {
  return places.slice().sort((a, b) => {
    const [x, y] = [values[a]!, values[b]!];
    return x < y ? -1 : x > y ? 1 : Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  });
}

/** What is moved: of each number its image, as two words, and its place. In order it is read from end to end. */
interface Keyed {
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly places: Uint32Array;
}

const room = (n: number): Keyed => ({ low: new Int32Array(n), high: new Int32Array(n), places: new Uint32Array(n) });

function byDigits(values: ArrayLike<number>, places: Uint32Array): Uint32Array {
  const n = places.length;
  let from = imagesOf(values, places);
  let to = room(n);
  for (let digit = 0; digit < DIGITS; digit++) {
    const starts = new Uint32Array(VALUES);
    for (let i = 0; i < n; i++) {
      const value = digitOf(from, i, digit);
      starts[value] = starts[value]! + 1;
    }
    if (starts.includes(n)) continue;
    let before = 0;
    for (let value = 0; value < VALUES; value++) {
      const count = starts[value]!;
      starts[value] = before;
      before += count;
    }
    for (let i = 0; i < n; i++) {
      const value = digitOf(from, i, digit);
      const at = starts[value]!;
      starts[value] = at + 1;
      to.low[at] = from.low[i]!;
      to.high[at] = from.high[i]!;
      to.places[at] = from.places[i]!;
    }
    [from, to] = [to, from];
  }
  return from.places;
}

/** As numbers of 64 bits the images ascend as the values do. WebAssembly runs where the lower word stands first. */
function imagesOf(values: ArrayLike<number>, places: Uint32Array): Keyed {
  const images = room(places.length);
  const one = new Float64Array(1);
  const words = new Int32Array(one.buffer);
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    images.places[i] = place;
    const value = values[place]!;
    // Adding 0 makes 0 of −0.
    one[0] = value + 0;
    const [low, high] = [words[0]!, words[1]!];
    // Of negative numbers all bits are turned, of others the sign. NaN has one image, whatever its bits.
    images.low[i] = value === value ? low ^ (high >> 31) : -1;
    images.high[i] = value === value ? high ^ ((high >> 31) | 0x8000_0000) : -1;
  }
  return images;
}

function digitOf({ low, high }: Keyed, i: number, digit: number): number {
  const shift = BITS * digit;
  if (shift >= 32) return (high[i]! >>> (shift - 32)) & (VALUES - 1);
  if (shift + BITS <= 32) return (low[i]! >>> shift) & (VALUES - 1);
  return ((low[i]! >>> shift) | (high[i]! << (32 - shift))) & (VALUES - 1);
}

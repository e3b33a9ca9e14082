import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode, fromJson, toJson } from '../../../src-main/contract/codec.ts';

const typedArray = fc.oneof(fc.float64Array(), fc.float32Array(), fc.int32Array(), fc.uint32Array(), fc.uint8Array());

const message = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.double(),
    fc.constantFrom(NaN, Infinity, -Infinity, -0),
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    typedArray,
    fc.array(fc.double(), { minLength: 10, maxLength: 24 }),
    fc.array(tie('value')),
    fc
      .array(
        fc.tuple(fc.oneof(fc.constantFrom('$', '$$', '__proto__', 'constructor', '$f'), fc.string()), tie('value')),
      )
      .map((entries) => {
        const object = {};
        for (const [key, value] of entries)
          Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
        return object;
      }),
  ),
})).value;

describe('the codec', () => {
  it('gives back what it was given, to the bit', () => {
    fc.assert(
      fc.property(message, (value) => {
        // vitest's toStrictEqual looks at `.constructor`, which here may be a key like any other.
        deepStrictEqual(decode(encode(value)), value);
      }),
    );
  });

  it('gives it back as text, too', () => {
    fc.assert(fc.property(message, (value) => deepStrictEqual(fromJson(toJson(value)), value)));
    const kept = { a: undefined, b: [undefined, NaN, -0, -Infinity] };
    deepStrictEqual(fromJson(toJson(kept)), kept);
    deepStrictEqual(decode(encode(kept)), kept);
    for (const at of ['0', '["1"]', '[[1]]', 'null'])
      expect(() => fromJson(`{"$": "Float64Array", "at": ${at}, "length": 1}`)).toThrow(TypeError);
    expect(() => fromJson('{"$": "constructor", "at": [1]}')).toThrow(TypeError);
  });

  it('gives back a view of part of a buffer as that part', () => {
    const whole = new Float64Array([1, NaN, -0, Infinity]);
    expect(decode(encode({ part: whole.subarray(1, 3) }))).toStrictEqual({ part: new Float64Array([NaN, -0]) });
  });

  it('gives back a long list of numbers as that list, and one with anything else in it', () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => Math.sin(i));
    const lists = { numbers: [...numbers, NaN, -0, Infinity], mixed: [...numbers, null, undefined, '1'] };
    deepStrictEqual(decode(encode(lists)), lists);
    expect(encode(numbers).length).toBeLessThan(8 * numbers.length + 100);
    deepStrictEqual(fromJson(toJson(lists)), lists);
  });

  it('writes what is the same once, and gives it back as arrays of their own', () => {
    const x = Float64Array.from({ length: 1000 }, (_, i) => i / 7);
    const other = Float64Array.from(x);
    other[3] = -other[3]!;
    const message = { a: x, b: Array.from(x), c: Float64Array.from(x), d: other, e: [0, ...x], f: [-0, ...x] };
    const frame = encode(message);
    expect(frame.length).toBeLessThan(8 * (4 * x.length + 2) + 500);
    const read = decode(frame) as typeof message;
    expect(read).toEqual(message);
    expect(Object.is(read.f[0], -0)).toBe(true);
    read.a[0] = 5;
    expect(read.c[0]).toBe(0);
  });

  it('leaves the prototype alone', () => {
    const decoded = decode(encode(JSON.parse('{"__proto__": {"polluted": true}}'))) as { polluted?: boolean };
    expect(decoded.polluted).toBeUndefined();
    expect(Object.keys(decoded)).toEqual(['__proto__']);
  });

  it('refuses what is no frame, and never reads past its end', () => {
    const frame = encode({ values: new Float64Array(8), text: 'x' });
    for (let length = 0; length < frame.length; length++) expect(() => decode(frame.slice(0, length))).toThrow();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(() => decode(bytes)).toThrow();
      }),
    );
  });

  it('makes no room for an array that a frame only speaks of', () => {
    for (const place of ['"at": 0, "length": 4e9', '"at": -8, "length": 1', '"at": 0, "length": 1e999']) {
      const header = Buffer.from(`{"$": "Float64Array", ${place}}`);
      const frame = Buffer.concat([Uint8Array.of(header.length, 0, 0, 0), header, new Uint8Array(16)]);
      expect(() => decode(frame)).toThrow('The frame is shorter than its arrays.');
    }
  });

  it('refuses functions and symbols', () => {
    expect(() => encode({ call: () => 1 })).toThrow(TypeError);
    expect(() => encode({ mark: Symbol('x') })).toThrow(TypeError);
  });
});

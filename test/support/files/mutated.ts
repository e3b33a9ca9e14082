/** Bytes and texts near to ones that are right: what a torn download, a broken disk or a hostile hand makes of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

/** Runs of a property: few in every test run, fifty times as many with `SWEEP=long`. */
export const fuzzRuns = (usual: number): number => (process.env['SWEEP'] === 'long' ? 50 : 1) * usual;

/** As many runs as there are in a time, in milliseconds. */
export const fuzzBudget = (runs: number, time: number): fc.Parameters<unknown> => ({
  numRuns: fuzzRuns(runs),
  plugins: [fc.interruptAfterTimeLimit(fuzzRuns(time))],
});

/** Time that such a property may take, in milliseconds. */
export const fuzzTimeout = process.env['SWEEP'] === 'long' ? 1_800_000 : 600_000;

/** Hard cases, and what was once taken wrongly, which are tried first in every run: the files of `test/fuzz/kept/KIND`. */
export function kept(kind: string): [Uint8Array][] {
  const folder = join(import.meta.dirname, '../../fuzz/kept', kind);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => [Uint8Array.from(readFileSync(join(folder, name)))]);
}

export const keptTexts = (kind: string): [string][] => kept(kind).map(([bytes]) => [new TextDecoder().decode(bytes)]);

type Change = (bytes: readonly number[]) => number[];

/** What lengths and counts are said with. */
const extremes = [
  [0xff, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0x7f],
  [0, 0, 0, 0x80],
  [0, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0, 0, 0, 0, 0, 0, 0xf0, 0x7f],
];

function change(inserts: readonly (readonly number[])[]): fc.Arbitrary<Change> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const spot = (bytes: readonly number[], share: number): number => Math.floor(share * bytes.length);
  return fc.oneof(
    fc.tuple(place, fc.nat(255)).map(
      ([share, byte]): Change =>
        (bytes) =>
          bytes.with(Math.min(spot(bytes, share), bytes.length - 1), byte),
    ),
    fc.tuple(place, fc.nat(12)).map(
      ([share, count]): Change =>
        (bytes) =>
          [...bytes].toSpliced(spot(bytes, share), count),
    ),
    place.map(
      (share): Change =>
        (bytes) =>
          bytes.slice(0, spot(bytes, share)),
    ),
    fc.tuple(place, place).map(([from, to]): Change => (bytes) => {
      const part = bytes.slice(spot(bytes, Math.min(from, to)), spot(bytes, Math.max(from, to)));
      return bytes.toSpliced(spot(bytes, to), 0, ...part.slice(0, 5000));
    }),
    fc.tuple(place, fc.constantFrom(...inserts)).map(
      ([share, more]): Change =>
        (bytes) =>
          bytes.toSpliced(spot(bytes, share), 0, ...more),
    ),
    fc.tuple(place, fc.constantFrom(...extremes)).map(
      ([share, more]): Change =>
        (bytes) =>
          bytes.toSpliced(spot(bytes, share), more.length, ...more),
    ),
  );
}

/** A sample with up to five changes. `words` are inserted as they are. */
export function mutatedBytes(
  samples: readonly Uint8Array[],
  words: readonly string[] = ['0'],
): fc.Arbitrary<Uint8Array> {
  const inserts = words.map((word) => [...Buffer.from(word)]);
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change(inserts), { minLength: 1, maxLength: 5 }))
    .map(([sample, changes]) =>
      Uint8Array.from(
        changes.reduce<readonly number[]>((bytes, one) => (bytes.length === 0 ? bytes : one(bytes)), [...sample]),
      ),
    );
}

/** As UTF-16 has them, halves of pairs among them. */
export function mutatedText(samples: readonly string[], words: readonly string[]): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...words) },
    fc.string({ maxLength: 3, unit: 'binary' }),
  );
  const one = fc.tuple(place, fc.nat(6), piece, fc.nat(3));
  return fc.tuple(fc.constantFrom(...samples), fc.array(one, { minLength: 1, maxLength: 5 })).map(([sample, changes]) =>
    changes.reduce((text, [share, drop, more, times]) => {
      const at = Math.floor(share * text.length);
      return text.slice(0, at) + more.repeat(times) + text.slice(at + drop);
    }, sample),
  );
}

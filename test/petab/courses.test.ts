/**
 * Experiments that share some of their course and differ in the rest, against their closed form. Between changes
 *
 *     A′ = 1 − k·A    ⇒    A(t) = 1/k + (A(s) − 1/k)·e^(−k(t − s)),
 *
 * and a change is computed from what was right before it.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { importPetab } from '../../models/petab/import.ts';
import { reverse } from '../../src-main/compute/differentiate.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { openDevice, valuesOfDocument } from './run.ts';

const device = openDevice();
afterAll(() => device.close());

const model = `<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m">
<listOfParameters>
  <parameter id="A" value="1" constant="false"/><parameter id="k" value="0.3" constant="true"/>
  <parameter id="gain" value="2" constant="true"/><parameter id="w" constant="false"/>
</listOfParameters>
<listOfRules>
  <rateRule variable="A"><math xmlns="http://www.w3.org/1998/Math/MathML">
    <apply><minus/><cn>1</cn><apply><times/><ci>k</ci><ci>A</ci></apply></apply></math></rateRule>
  <assignmentRule variable="w"><math xmlns="http://www.w3.org/1998/Math/MathML">
    <apply><times/><ci>k</ci><ci>gain</ci></apply></math></assignmentRule>
</listOfRules></model></sbml>`;

interface State {
  readonly A: number;
  readonly k: number;
  readonly gain: number;
}

/** What conditions set, as they say it and as it is computed. */
const changes = {
  A: {
    '2': () => 2,
    'A * 0.5': ({ A }: State) => A * 0.5,
    'A + k': ({ A, k }: State) => A + k,
    k0: (_: State, k0: number) => k0,
  },
  k: { '0.7': () => 0.7, k0: (_: State, k0: number) => k0, 'k * 2': ({ k }: State) => k * 2 },
  gain: {
    '3': () => 3,
    'gain + k0': ({ gain }: State, k0: number) => gain + k0,
    'gain * A': ({ A, gain }: State) => gain * A,
  },
} as const;
type Target = keyof typeof changes;
const computed = (target: Target, text: string, state: State, k0: number): number => {
  const list: Readonly<Record<string, (state: State, k0: number) => number>> = changes[target];
  return list[text]!(state, k0);
};

interface Period {
  readonly time: number;
  readonly sets: Readonly<Partial<Record<Target, string>>>;
}

const observables = {
  oA: { formula: 'A', of: ({ A }: State) => A },
  oK: { formula: '10 * k', of: ({ k }: State) => 10 * k },
  oW: { formula: 'w', of: ({ k, gain }: State) => k * gain },
  oP: { formula: 'p', of: ({ gain }: State) => gain },
} as const;
type ObservableId = keyof typeof observables;

type Measured = readonly [observable: ObservableId, experiment: number, time: number];

function at(periods: readonly Period[], time: number, k0: number): State {
  let state: State = { A: 1, k: 0.3, gain: 2 };
  for (const [i, period] of periods.entries()) {
    if (period.time > time) break;
    const sets = Object.entries(period.sets) as [Target, string][];
    state = { ...state, ...Object.fromEntries(sets.map(([id, text]) => [id, computed(id, text, state, k0)])) };
    const { A, k } = state;
    const until = Math.min(time, periods[i + 1]?.time ?? Infinity);
    state = {
      ...state,
      A: period.time === -Infinity ? 1 / k : 1 / k + (A - 1 / k) * Math.exp(-k * (until - period.time)),
    };
  }
  return state;
}

async function document(courses: readonly (readonly Period[])[], measured: readonly Measured[]): Promise<unknown> {
  const rows = (...lines: readonly (readonly unknown[])[]): string => lines.map((line) => line.join('\t')).join('\n');
  const texts: Record<string, string> = {
    'm.xml': model,
    'p.tsv': rows(
      ['parameterId', 'lowerBound', 'upperBound', 'nominalValue', 'estimate'],
      ['k0', 0.01, 10, 0.4, 'true'],
    ),
    'c.tsv': rows(
      ['conditionId', 'targetId', 'targetValue'],
      ...courses.flatMap((periods, e) =>
        periods.flatMap(({ sets }, i) => Object.entries(sets).map((set) => [`c${e}_${i}`, ...set])),
      ),
    ),
    'e.tsv': rows(
      ['experimentId', 'time', 'conditionId'],
      ...courses.flatMap((periods, e) =>
        periods.map(({ time, sets }, i) => [
          `e${e}`,
          time === -Infinity ? '-inf' : time,
          Object.keys(sets).length > 0 ? `c${e}_${i}` : '',
        ]),
      ),
    ),
    'o.tsv': rows(
      ['observableId', 'observableFormula', 'noiseFormula', 'noiseDistribution', 'observablePlaceholders'],
      ...Object.entries(observables).map(([id, { formula }]) => [id, formula, 1, 'normal', formula === 'p' ? 'p' : '']),
    ),
    'd.tsv': rows(
      ['observableId', 'experimentId', 'time', 'measurement', 'observableParameters'],
      ...measured.map(([id, e, time], i) => [id, `e${e}`, time, i, id === 'oP' ? 'gain' : '']),
    ),
  };
  const yaml = `format_version: 2.0.0
parameter_files: [p.tsv]
model_files: {m: {location: m.xml, language: sbml}}
condition_files: [c.tsv]
experiment_files: [e.tsv]
observable_files: [o.tsv]
measurement_files: [d.tsv]`;
  const found = await importPetab(yaml, (name) => Promise.resolve(Buffer.from(texts[name] ?? '')), 'courses');
  return JSON.parse(JSON.stringify(found.document));
}

const near = (found: number, wanted: number, tolerance: number): void =>
  expect(Math.abs(found - wanted)).toBeLessThan(tolerance * Math.max(1, Math.abs(wanted)));

async function holds(courses: readonly (readonly Period[])[], measured: readonly Measured[]): Promise<void> {
  const predicted = (k0: number): number[] =>
    measured.map(([id, e, time]) => observables[id].of(at(courses[e]!, time, k0)));
  const objective = (k0: number): number =>
    predicted(k0).reduce((sum, value, i) => sum + 0.5 * ((i - value) ** 2 + Math.log(2 * Math.PI)), 0);
  const imported = await document(courses, measured);
  const found = await valuesOfDocument(imported, device);
  const wanted = predicted(0.4);
  expect(found.simulation).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) near(found.simulation[i]!, value, 1e-6);
  near(found.objective, objective(0.4), 1e-6);
  const { adjoints } = await reverse(demandModel(await load(imported, undefined)), { of: 'objective' }, device);
  const h = 1e-5;
  const slope = (objective(0.4 + h) - objective(0.4 - h)) / (2 * h);
  near(adjoints.get('k0')?.values[0] ?? NaN, slope, 1e-5);
}

const everywhere = (e: number, ...times: readonly number[]): Measured[] =>
  times.flatMap((time) => (Object.keys(observables) as ObservableId[]).map((id): Measured => [id, e, time]));

test.each<[string, readonly (readonly Period[])[]]>([
  [
    'two begin with one condition, and one goes on with another',
    [
      [
        { time: 0, sets: { k: 'k0' } },
        { time: 5, sets: { k: 'k * 2' } },
      ],
      [{ time: 0, sets: { k: 'k0' } }],
    ],
  ],
  [
    'one has two periods, the other one',
    [
      [
        { time: 0, sets: { k: 'k0' } },
        { time: 5, sets: { A: '2' } },
      ],
      [{ time: 0, sets: {} }],
    ],
  ],
  [
    'one begins at a steady state, the other at 0',
    [
      [{ time: 0, sets: { k: 'k0' } }],
      [
        { time: -Infinity, sets: { k: 'k0' } },
        { time: 0, sets: { A: '2' } },
      ],
    ],
  ],
])('%s', async (_, courses) => {
  await holds(
    courses,
    courses.flatMap((_periods, e) => everywhere(e, 2, 7)),
  );
});

test.each([
  [{ k: 'k * 2' }, 'k'],
  [{ k: 'k0', gain: 'k + 1' }, 'k'],
])('a first period that computes with what it sets, %j, is refused', async (sets, id) => {
  const first = document(
    [
      [
        { time: 0, sets },
        { time: 5, sets: {} },
      ],
    ],
    everywhere(0, 2, 7),
  );
  await expect(first).rejects.toThrow(`the first period of "e0" computes with "${id}", which it sets itself`);
});

/** A first period has nothing before it, so what it sets is computed of parameters. */
const setsOf = (isFirst: boolean): fc.Arbitrary<Period['sets']> => {
  const option = (target: Target): fc.Arbitrary<string> =>
    fc.constantFrom(...Object.keys(changes[target]).filter((text) => !isFirst || /^(k0|[\d.]+)$/.test(text)));
  return fc.record({ A: option('A'), k: option('k'), gain: option('gain') }, { requiredKeys: [] });
};

const course = fc
  .tuple(fc.constantFrom(-Infinity, 0, 1), fc.subarray([1.5, 3, 5], { minLength: 0 }))
  .chain(([first, later]) =>
    fc.tuple(
      ...[first, ...(first === -Infinity ? [0] : []), ...later].map((time, i) =>
        setsOf(i === 0).map((sets) => ({ time, sets })),
      ),
    ),
  );

test('any experiments beside one another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(course, { minLength: 1, maxLength: 3 }), async (courses) => {
      await holds(
        courses,
        courses.flatMap((_, e) => everywhere(e, 1.2, 3, 7)),
      );
    }),
    { numRuns: process.env['SWEEP'] === undefined ? 3 : 100 },
  );
});

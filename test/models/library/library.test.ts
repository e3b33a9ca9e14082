/** Each shape against its closed form, and its start values on data of its own: the fit from there ends where the data do. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { candidatesOf } from '../../../models/experiment/candidates.ts';
import { firstModel } from '../../../models/experiment/first-model.ts';
import type { Readings } from '../../../models/experiment/readings.ts';
import { fields, type Shape } from '../../../models/library/shape.ts';
import { library } from '../../../models/library/index.ts';
import { constantsOf, curveOf } from '../../../models/library/start-values.ts';
import { formulaPorts } from '../../../models/formula/names.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { contest } from '../../../src-main/compute/contest.ts';
import { randomNumbers } from '../../support/derivatives.ts';
import { closedForms, densities } from './closed-forms.ts';

const device = cpuDevice();
afterAll(() => device.close());

/** Repeatable numbers between 0 and 1 (Weyl's sequences of √2 and √3, which fill a square evenly). */
const even = (i: number): readonly [number, number] => [((i + 1) * Math.SQRT2) % 1, ((i + 1) * Math.sqrt(3)) % 1];

interface Simulated {
  readonly readings: Readings;
  readonly exact: Float64Array;
  readonly inputs: ReadonlyMap<string, number | Float64Array>;
}

/** y with errors of one in a hundred of its range; a dose of 2 and inhibitors of 0, 1 and 5 where the shape reads them. */
function simulate(shape: Shape): Simulated {
  const known = densities[shape.name];
  if (known) {
    const values = Float64Array.from({ length: 300 }, (_, i) => known.draw(...even(i)));
    const exact = new Float64Array();
    return { readings: readingsOf(undefined, values), exact, inputs: new Map() };
  }
  const { x, truth, f } = closedForms[shape.name]!;
  const inhibitors = Object.values(shape.covariates ?? {}).includes('condition') ? [0, 1, 5] : [0];
  const places = Float64Array.from(inhibitors.flatMap(() => x));
  const I = Float64Array.from(inhibitors.flatMap((each) => x.map(() => each)));
  const constants = constantsOf(shape, { x: places, y: places });
  const exact = places.map((at, i) => f(at, { ...truth, ...Object.fromEntries(constants), dose: 2, I: I[i]! }));
  const range = Math.max(...exact) - Math.min(...exact);
  const uniform = randomNumbers(1);
  /** Normal, by Box and Muller: what alternates, or drifts, is no noise, and a fit looks further. */
  const noise = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const y = exact.map((value) => value + 0.01 * range * noise());
  const readings = readingsOf(places, y, {
    ...(shape.covariates?.['dose'] && { dose: places.map(() => 2) }),
    ...(inhibitors.length > 1 && { condition: I }),
  });
  return { readings, exact, inputs: new Map<string, number | Float64Array>([...constants, ['dose', 2], ['I', I]]) };
}

function readingsOf(
  x: Float64Array | undefined,
  y: Float64Array,
  { dose, condition }: { dose?: Float64Array; condition?: Float64Array } = {},
): Readings {
  const column = (name: string, values: Float64Array | undefined) => values && { name, unit: '', values };
  return {
    ...{ x: column('x', x), y: column('y', y)!, signal: column('y', y)!, sigma: undefined, weight: undefined },
    ...{ trials: undefined, below: undefined, above: undefined },
    ...{ dose: column('dose', dose), condition: column('I', condition), group: undefined, replicate: undefined },
    ...{ row: Int32Array.from(y.keys()), excluded: new Map(), dropped: [], controls: undefined },
  };
}

/** Columns in units that have nothing to do with one another; of what is counted in trials y has none. */
const withUnits = (readings: Readings, shape: Shape): Readings => {
  const condition = shape.marked ? '' : 'nM';
  const named = { x: 'us', y: 'mV', signal: 'mV', dose: 'mg', condition } as const;
  const given = Object.entries(named).flatMap(([role, unit]) => {
    const column = readings[role as keyof typeof named];
    return column ? [[role, { ...column, unit: shape.proportion && unit === 'mV' ? '' : unit }] as const] : [];
  });
  return { ...readings, ...Object.fromEntries(given) };
};

it('has at least fifty shapes of twelve fields, each with a name of its own and all that is said of it', () => {
  expect(library.length).toBeGreaterThanOrEqual(50);
  expect(new Set(library.map(({ name }) => name)).size).toBe(library.length);
  expect(new Set(library.map(({ field }) => field))).toEqual(new Set(fields));
  expect(new Set([...Object.keys(closedForms), ...Object.keys(densities)])).toEqual(
    new Set(library.map(({ name }) => name)),
  );
  for (const { title, use, reference, parameters } of library) {
    expect(title).not.toBe('');
    expect(use).toMatch(/\.$/);
    expect(reference).toMatch(/\d{4}|Gauss1–3/);
    for (const { meaning } of Object.values(parameters)) expect(meaning).not.toBe('');
  }
});

describe.each(library.map((shape) => [shape.name, shape] as const))('%s', (_, shape) => {
  const { readings, exact, inputs } = simulate(shape);
  const truth = new Map(Object.entries((closedForms[shape.name] ?? densities[shape.name])!.truth));

  it('reads its own parameters and nothing else', () => {
    const parsed = parseFormula(shape.formula);
    expect(parsed.ok).toBe(true);
    const read = parsed.ok ? formulaPorts([parsed.formula]).map((port) => (port.kind === 'name' ? port.name : '')) : [];
    const owned = [shape.parameters, shape.constants ?? {}, shape.covariates ?? {}].flatMap(Object.keys);
    expect(new Set(read)).toEqual(new Set(['x', ...owned]));
    expect(new Set(truth.keys())).toEqual(new Set(Object.keys(shape.parameters)));
  });

  it('becomes a document whose units go together, of columns that have some', async () => {
    const [[candidate] = []] = candidatesOf(readings, 1, shape);
    const inUnits = withUnits(readings, shape);
    const { document } = firstModel('simulated', inUnits, candidate!, new Set());
    expect(demandModel(await load(document, undefined)).warnings).toEqual([]);
  });

  it('is its closed form', () => {
    const x = (readings.x ?? readings.y).values;
    const density = densities[shape.name];
    const constants = density ? constantsOf(shape, { x, y: x }) : inputs;
    const found = curveOf(shape, x, truth, constants);
    const wanted = density
      ? x.map((at) =>
          density.log(at, { ...Object.fromEntries(truth), ...Object.fromEntries(constants as Map<string, number>) }),
        )
      : exact;
    const size = Math.max(...wanted.map(Math.abs));
    found.forEach((value, i) => expect(Math.abs(value - wanted[i]!)).toBeLessThan(1e-9 * size));
  });

  it('converges from its start values, and explains the data as well as what made them', async () => {
    const [candidates] = candidatesOf(readings, 1, shape);
    expect(candidates).toHaveLength(1);
    const [best] = await contest(readings, device, { name: 'simulated', shape });
    expect(best?.report.fit.status).toBe('converged');
    const x = (readings.x ?? readings.y).values;
    const atTruth = densities[shape.name]
      ? -curveOf(shape, x, truth, constantsOf(shape, { x, y: x })).reduce((sum, value) => sum + value, 0)
      : exact.reduce((sum, value, i) => sum + (value - readings.y.values[i]!) ** 2, 0);
    expect(best!.objective).toBeLessThanOrEqual(atTruth * (1 + 1e-9) + 1e-12);
  });
});

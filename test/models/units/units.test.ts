import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFormula } from '../../../models/formula/parse.ts';
import { formulaUnit } from '../../../models/units/formula-units.ts';
import { multiply, parseUnit, power, printUnit, ratio, sameUnit, type Unit } from '../../../models/units/unit.ts';
import { c, problemsOf } from '../../support/documents.ts';

const unit = (text: string): Unit => parseUnit(text)!;

describe('units', () => {
  it.each([
    ['mg/L', 'g/m^3', 1],
    ['1/h', 'min^-1', 1 / 60],
    ['h⁻¹', '1/hr', 1],
    ['L/h/kg', 'mL/(h', undefined],
    ['m s^-2', 'm/s/s', 1],
    ['µg·mL⁻¹', 'mg/L', 1],
    ['kPa', 'N/m^2', 1000],
    ['%', '1', 0.01],
    ['M', 'mol/L', 1],
    ['chicks/day', 'chicks/week', 7],
    ['m^1/2', 'cm^1/2', 10],
    ['mg', 's', undefined],
    ['chicks', 'boys', undefined],
  ])('one %s in %s is %s', (a, b, times) => {
    const [left, right] = [parseUnit(a), parseUnit(b)];
    const found = left && right && ratio(left, right);
    if (times === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(times, 9);
  });

  it.each(['', ' ', 'log mg/L?', 'g^', '3 m', '(m', 'a+b', 'v_0'])('"%s" is no unit', (text) =>
    expect(parseUnit(text)).toBeUndefined(),
  );

  it('what is printed reads back as the same', () => {
    const symbol = fc.constantFrom('mg', 'L', 'h', 'kg', 'mol', 'chicks', 'm', '%');
    fc.assert(
      fc.property(fc.array(fc.tuple(symbol, fc.constantFrom(-2, -1, 1, 2, 0.5))), (factors) => {
        const made = factors.reduce(
          (all, [name, exponent]) => multiply(all, power(new Map([[name, 1]]), exponent)),
          new Map() as Unit,
        );
        expect(sameUnit(unit(printUnit(made)), made)).toBe(true);
      }),
    );
  });
});

describe('units of formulas', () => {
  const units: Record<string, string> = { dose: 'mg', V: 'L', k: '1/h', t: 'h', m: 'min', c: 'mg/L', n: 'chicks' };
  const of = (text: string) => {
    const parsed = parseFormula(text);
    if (!parsed.ok) throw new Error(text);
    const { unit: found, faults } = formulaUnit(parsed.formula, (name) => parseUnit(units[name]));
    return {
      unit: found && printUnit(found),
      faults: faults.map(({ message, from, to }) => `${text.slice(from, to)}: ${message}`),
    };
  };

  it.each([
    ['dose / V * exp(-k * t)', 'mg/L'],
    ['dose / V + c', 'mg/L'],
    ['c + 1', 'mg/L'],
    ['2 * pi * t', 'h'],
    ['sqrt(t^2)', 'h'],
    ['t^-1', '1/h'],
    ['if(t > 1, c, 0)', 'mg/L'],
    ['unknown * t', undefined],
    ['log(c)', undefined],
    ['log(2) / k', 'h'],
    ['half = dose / 2\nhalf / V', 'mg/L'],
    ['k * t', '1'],
  ])('%s', (text, wanted) => expect(of(text)).toEqual({ unit: wanted, faults: [] }));

  it.each([
    ['t + m', 't + m: h and min do not go together: one h is 60 min'],
    ['c - dose', 'c - dose: mg/L and mg do not go together'],
    ['exp(-t)', 'exp(-t): exp wants a number without a unit, and this is in h'],
    ['if(t > c, 1, 0)', 't > c: h and mg/L do not go together'],
    ['min(n, t)', 'min(n, t): chicks and h do not go together'],
  ])('%s is warned of', (text, fault) => expect(of(text).faults).toEqual([fault]));
});

describe('units along the wires', () => {
  const warnings = async (blocks: Parameters<typeof problemsOf>[0]): Promise<string[]> =>
    (await problemsOf(blocks)).filter(({ severity }) => severity === 'warning').map(({ message }) => message);
  const t = c('t', [1, 2], { unit: 'h' });

  it('go through blocks that keep them, and warn where they part', async () => {
    const k = { id: 'k', kind: 'parameter', initial: 1, unit: '1/min' };
    const blocks = [
      t,
      { id: 's', kind: 'shift', values: 't' },
      { id: 'total', kind: 'reduce', operator: 'add', values: 's' },
      k,
      { id: 'x', kind: 'map', formula: 'exp(-k * total)' },
    ];
    expect(await warnings(blocks)).toEqual([]);
    const apart = [...blocks, { id: 'y', kind: 'map', formula: 'total + 1 / k' }];
    expect(await warnings(apart)).toEqual(['block "y": h and min do not go together: one h is 60 min']);
  });

  it('leave room for the factor between two that a formula has', async () => {
    const inUnit = (formula: string, unit: string) => [t, { id: 'x', kind: 'map', formula, unit }];
    for (const [formula, unit] of [
      ['60*t', 'min'],
      ['2*t/t*50', '%'],
      ['t/24', 'd'],
    ] as const)
      expect(await warnings(inUnit(formula, unit))).toEqual([]);
    expect(await warnings(inUnit('t/60', 'min'))).toEqual([
      'block "x": its unit is "min", and by its inputs it is in h',
    ]);
  });

  it('are held against what a block says, and what was observed', async () => {
    const loss = { id: 'loss', kind: 'least-squares', prediction: 'x', observed: 'y' };
    const blocks = [t, { id: 'x', kind: 'map', formula: '2 * t', unit: 'min' }, c('y', [1, 2], { unit: 's' }), loss];
    expect(await warnings(blocks)).toEqual([
      'block "x": its unit is "min", and by its inputs it is in h',
      'block "loss": the prediction is in "min" and what was observed in "s", of which one of the former is 60',
    ]);
  });
});

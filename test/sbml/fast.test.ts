/** Fast reactions beside the closed forms of their equilibria. */
import { afterAll, describe, expect, it } from 'vitest';
import { importSbml } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { mathOf } from '../../models/sbml/export/write-math.ts';
import { writtenOut } from '../../models/sbml/written-out.ts';
import { openDevice, outcomeOf } from './run.ts';

const math = (formula: string): string => mathOf(writtenOut(formula), (id) => id);
const device = openDevice();
afterAll(() => device.close());

interface Reaction {
  readonly id: string;
  readonly from?: string;
  readonly to?: string;
  readonly rate: string;
  readonly fast?: boolean;
}

const side = (list: string, text = ''): string => {
  const references = text.split(' ').filter((each) => each !== '');
  return references.length === 0
    ? ''
    : `<${list}>${references.map((each) => `<speciesReference species="${each}" stoichiometry="1"/>`).join('')}</${list}>`;
};

const reaction = ({ id, from, to, rate, fast }: Reaction): string =>
  `<reaction id="${id}" fast="${fast === true}">${side('listOfReactants', from)}${side('listOfProducts', to)}
  <kineticLaw>${math(rate)}</kineticLaw></reaction>`;

/** Amounts in a cell of 2, so that a concentration is half of them. */
const model = (amounts: Record<string, number>, reactions: readonly Reaction[], more = ''): string =>
  `<sbml level="3" version="1"><model id="m">
  <listOfCompartments><compartment id="cell" size="2" spatialDimensions="3" constant="true"/></listOfCompartments>
  <listOfSpecies>${Object.entries(amounts)
    .map(
      ([id, amount]) =>
        `<species id="${id}" compartment="cell" initialAmount="${amount}" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>`,
    )
    .join('')}</listOfSpecies>
  <listOfParameters><parameter id="k" value="0.5" constant="true"/></listOfParameters>
  <listOfReactions>${reactions.map(reaction).join('')}</listOfReactions>${more}
</model></sbml>`;

const times = [0, 1, 2, 3, 4];

/** Amounts at the times, as functions of these. */
async function outcome(text: string, expected: Record<string, (t: number) => number>): Promise<unknown> {
  return outcomeOf(
    {
      name: 'fast',
      model: text,
      others: new Map(),
      ...{ start: 0, duration: 4, steps: 4, absolute: 1e-7, relative: 1e-6 },
      outputs: Object.keys(expected).map((id) => `amount(${id})`),
      times,
      rows: times.map((t) => Object.values(expected).map((of) => of(t))),
    },
    device,
  );
}

const right = { kind: 'right', why: '' };

describe('a fast reaction is at equilibrium at every time', () => {
  it('A <-> B, B of which decays', async () => {
    // [B] = 2[A], so that 2/3 of all is B.
    const all = (t: number): number => 6 * Math.exp((-2 / 3) * 0.5 * t);
    const text = model({ A: 6, B: 0 }, [
      { id: 'turn', from: 'A', to: 'B', rate: 'cell*(2*A - B)', fast: true },
      { id: 'decay', from: 'B', rate: 'k*B*cell' },
    ]);
    expect(await outcome(text, { A: (t) => all(t) / 3, B: (t) => (2 * all(t)) / 3 })).toEqual(right);
  });

  it('A + B <-> C, while A comes in', async () => {
    // In concentrations: 2·(a − c)·(b − c) = c.
    const [a, b] = [(t: number): number => (6 + t) / 2, 2];
    const c = (t: number): number => {
      const p = 2 * (a(t) + b) + 1;
      return (p - Math.sqrt(p * p - 16 * a(t) * b)) / 4;
    };
    const text = model({ A: 6, B: 4, C: 0 }, [
      { id: 'bind', from: 'A B', to: 'C', rate: 'cell*(2*A*B - C)', fast: true },
      { id: 'income', to: 'A', rate: '1' },
    ]);
    expect(await outcome(text, { A: (t) => 2 * (a(t) - c(t)), B: (t) => 2 * (b - c(t)), C: (t) => 2 * c(t) })).toEqual(
      right,
    );
  });

  it('A <-> B <-> C, both fast', async () => {
    const all = (t: number): number => 9 * Math.exp((-6 / 9) * 0.5 * t);
    const text = model({ A: 1, B: 5, C: 3 }, [
      { id: 'first', from: 'A', to: 'B', rate: '2*A - B', fast: true },
      { id: 'second', from: 'B', to: 'C', rate: '3*B - C', fast: true },
      { id: 'decay', from: 'C', rate: 'k*C*cell' },
    ]);
    expect(
      await outcome(text, {
        A: (t) => all(t) / 9,
        B: (t) => (2 * all(t)) / 9,
        C: (t) => (6 * all(t)) / 9,
      }),
    ).toEqual(right);
  });

  it('and of two solutions it is the one that the reaction runs to', async () => {
    const text = model({ A: 4, B: 2 }, [{ id: 'back', from: 'A', to: 'B', rate: '-A*B', fast: true }]);
    expect(await outcome(text, { A: () => 6, B: () => 0 })).toEqual(right);
  });

  it('and nothing where it runs away from it', async () => {
    const text = model({ A: 4, B: 2 }, [{ id: 'away', from: 'A', to: 'B', rate: 'k*B', fast: true }]);
    expect(await outcome(text, { A: () => NaN, B: () => NaN })).toEqual(right);
  });
});

const event = `<listOfEvents><event id="e" useValuesFromTriggerTime="true">
  <trigger initialValue="true" persistent="true">${math('time > 1')}</trigger>
  <listOfEventAssignments><eventAssignment variable="A">${math('3')}</eventAssignment></listOfEventAssignments>
</event></listOfEvents>`;

it.each([
  ['a rate of degree 3', 'A^2*B', '', /"turn" is fast, and where it comes to rest is no equation/],
  [
    'saturation on both sides',
    'A/(1 + A) - B/(2 + B)',
    '',
    /"turn" is fast, and where it comes to rest is no equation/,
  ],
  ['a rate that nothing stops', 'k', '', /"turn" is fast, and where it comes to rest is no equation/],
  ['an event that sets what it changes', 'A - B', event, /an event sets "A", which fast reactions change/],
])('%s is refused', (_, rate, more, words) => {
  const read = (): unknown =>
    importSbml(model({ A: 1, B: 1 }, [{ id: 'turn', from: 'A', to: 'B', rate, fast: true }], more));
  expect(read).toThrow(SbmlRefusal);
  expect(read).toThrow(words);
});

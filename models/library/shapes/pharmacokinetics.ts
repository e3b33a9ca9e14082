/** Concentrations after a dose. Without a column of doses the dose is 1, and volumes are per unit of it. */
import { above0, all, coefficient, divisor, exponent, fromZero, level, places, rate } from '../parameters.ts';
import type { Shape } from '../shape.ts';

const gibaldi = 'Gibaldi and Perrier, Pharmacokinetics, 2nd ed., Dekker 1982';
const given = { dose: 'dose' } as const;
const volume = divisor('volume of distribution, over what is absorbed', 'dose/y');
const amount = (meaning: string) => above0(coefficient(meaning, 'y/dose'));
const ke = rate('rate of elimination');
const ka = rate('rate of absorption', 10);
const ends = ({ yLow, yHigh }: { readonly yLow: number; readonly yHigh: number }): boolean => yHigh > 0 && yLow >= 0;

/** The same curve has ka and ke exchanged and V·ke/ka for V: absorption is meant to be the faster. */
function absorbedFirst(values: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const [V, fast, slow] = ['V', 'ka', 'ke'].map((name) => values.get(name)!) as [number, number, number];
  if (fast >= slow) return values;
  return new Map([...values, ['V', (V * slow) / fast], ['ka', slow], ['ke', fast]]);
}

export const pharmacokinetics: readonly Shape[] = [
  {
    name: 'iv-bolus',
    title: 'One compartment, IV bolus',
    field: 'pharmacokinetics',
    formula: 'dose/V*exp(-ke*x)',
    parameters: { V: volume, ke },
    covariates: given,
    suits: all(fromZero, ends, ({ trend }) => trend < 0, places(4)),
    use: 'A dose into the blood, eliminated at a rate in proportion.',
    reference: gibaldi,
  },
  {
    name: 'oral-one-compartment',
    title: 'One compartment, oral',
    field: 'pharmacokinetics',
    formula: 'dose*ka/(V*(ka - ke))*(exp(-ke*x) - exp(-ka*x))',
    parameters: { V: volume, ka, ke },
    covariates: given,
    suits: all(fromZero, ends, places(4)),
    meant: absorbedFirst,
    use: 'A dose by mouth: first-order absorption and elimination.',
    reference: 'Bateman, Proc. Camb. Philos. Soc. 15 (1910) 423; ' + gibaldi,
  },
  {
    name: 'oral-with-lag',
    title: 'One compartment, oral, with a lag',
    field: 'pharmacokinetics',
    formula: 's = max(x - lag, 0)\ndose*ka/(V*(ka - ke))*(exp(-ke*s) - exp(-ka*s))',
    parameters: {
      V: volume,
      ka,
      ke,
      lag: {
        meaning: 'lag before absorption',
        unit: 'x',
        start: ({ least, span }) => ({ low: Math.min(0.2 * least, span / 100), high: span / 6, log: true }),
        positive: true,
      },
    },
    covariates: given,
    suits: all(fromZero, ends, places(7)),
    meant: absorbedFirst,
    use: 'A dose by mouth that needs time to dissolve.',
    reference: gibaldi,
  },
  {
    name: 'iv-two-compartments',
    title: 'Two compartments, IV bolus',
    field: 'pharmacokinetics',
    formula: 'dose*(A*exp(-alpha*x) + B*exp(-beta*x))',
    parameters: {
      A: amount('concentration of the fast phase, per dose'),
      alpha: rate('rate of distribution', 8),
      B: amount('concentration of the slow phase, per dose'),
      beta: rate('rate of elimination', 0.5),
    },
    covariates: given,
    suits: all(fromZero, ends, ({ trend }) => trend < 0, places(7)),
    use: 'A dose into the blood that spreads into tissue first.',
    reference: gibaldi,
  },
  {
    name: 'iv-three-compartments',
    title: 'Three compartments, IV bolus',
    field: 'pharmacokinetics',
    formula: 'dose*(P*exp(-pi1*x) + A*exp(-alpha*x) + B*exp(-beta*x))',
    parameters: {
      P: amount('concentration of the first phase, per dose'),
      pi1: rate('its rate', 20),
      A: amount('concentration of the second phase, per dose'),
      alpha: rate('its rate', 3),
      B: amount('concentration of the last phase, per dose'),
      beta: rate('rate of elimination', 0.3),
    },
    covariates: given,
    suits: all(fromZero, ends, ({ trend }) => trend < 0, places(12)),
    use: 'Anaesthetics and other drugs with a deep compartment.',
    reference: gibaldi,
  },
  {
    name: 'oral-two-compartments',
    title: 'Two compartments, oral',
    field: 'pharmacokinetics',
    formula: 'dose*(A*exp(-alpha*x) + B*exp(-beta*x) - (A + B)*exp(-ka*x))',
    parameters: {
      A: coefficient('concentration of the fast phase, per dose', 'y/dose'),
      alpha: rate('rate of distribution', 3),
      B: coefficient('concentration of the slow phase, per dose', 'y/dose'),
      beta: rate('rate of elimination', 0.5),
      ka,
    },
    covariates: given,
    suits: all(fromZero, ends, places(9)),
    use: 'A dose by mouth of a drug that spreads into tissue.',
    reference: gibaldi,
  },
  {
    name: 'infusion',
    narrow: true,
    title: 'One compartment, infusion that ends',
    field: 'pharmacokinetics',
    formula: 'dose/(V*ke*T)*(exp(-ke*max(x - T, 0)) - exp(-ke*x))',
    parameters: {
      V: volume,
      ke,
      T: {
        meaning: 'duration of the infusion',
        unit: 'x',
        start: ({ span }) => ({ low: span / 30, high: span / 1.2, log: true }),
        positive: true,
      },
    },
    covariates: given,
    suits: all(fromZero, ends, places(7)),
    use: 'A dose at a constant rate for a time.',
    reference: gibaldi,
  },
  {
    name: 'gamma-variate',
    narrow: true,
    title: 'Gamma variate (first pass)',
    field: 'pharmacokinetics',
    formula: 'C*(x/tm)^a*exp(a*(1 - x/tm))',
    parameters: {
      C: level('greatest concentration'),
      tm: {
        meaning: 'when it is reached',
        unit: 'x',
        start: ({ least, high }) => ({ low: least, high, log: true }),
        positive: true,
      },
      a: exponent('steepness', 0.3, 20),
    },
    suits: all(({ low }) => low > 0, ends, places(7)),
    use: 'The first pass of an indicator or a contrast agent.',
    reference: 'Thompson, Starmer, Whalen and McIntosh, Circ. Res. 14 (1964) 502',
  },
];

/** Rates of enzymes over substrate, inhibitor or pH, and progress curves. */
import { all, exponent, falls, fromZero, half, level, places, positive, rate, rises, slope } from '../parameters.ts';
import type { DataRange, Shape } from '../shape.ts';

const cornish = 'Cornish-Bowden, Fundamentals of Enzyme Kinetics, 4th ed., Wiley 2012';
const vmax = level('rate when all enzyme is saturated');
const km = half('substrate concentration of half the greatest rate');
/** An inhibition constant, in units of the condition: searched around the scale of x for want of another. */
const ki = (meaning: string) => positive(meaning, '', ({ least, high }: DataRange) => [least / 1000, 1000 * high]);
const inhibitor = { I: 'condition' } as const;
const rising = all(fromZero, rises);

const integrated = 'Schnell and Mendoza, J. Theor. Biol. 187 (1997) 207';
/**
 * w = [S]/Km of w + log(w) = z, which is W(S0/Km·exp((S0 − Vmax·x)/Km)) of Lambert, by Newton's method from log(1 + exp(z)):
 * four steps leave a rounding, wherever z is. Below −700 there is no substrate left, and no logarithm of it.
 */
const substrateLeft = [
  'z = logaddexp(log(S0/Km) + (S0 - Vmax*x)/Km, -700)',
  'a = logaddexp(z, 0)',
  'b = a*(1 + z - log(a))/(1 + a)',
  'c = b*(1 + z - log(b))/(1 + b)',
  'd = c*(1 + z - log(c))/(1 + c)',
  'w = d*(1 + z - log(d))/(1 + d)',
].join('\n');
const progress = {
  S0: positive('substrate at the start', 'y', ({ yHigh }) => [0.9 * yHigh, 2 * yHigh]),
  Vmax: positive('rate when all enzyme is saturated', 'y/x', ({ yHigh, span }) => [
    (0.8 * yHigh) / span,
    (20 * yHigh) / span,
  ]),
  Km: positive('substrate concentration of half the greatest rate', 'y', ({ yHigh }) => [yHigh / 100, 4 * yHigh]),
};

export const enzymes: readonly Shape[] = [
  {
    name: 'michaelis-menten',
    title: 'Michaelis–Menten',
    field: 'enzyme kinetics',
    formula: 'Vmax*x/(Km + x)',
    parameters: { Vmax: vmax, Km: km },
    suits: all(rising, places(4)),
    use: 'Initial rates over substrate, one enzyme and one substrate.',
    reference: 'Michaelis and Menten, Biochem. Z. 49 (1913) 333',
  },
  {
    name: 'hill-kinetics',
    title: 'Hill (allosteric) kinetics',
    field: 'enzyme kinetics',
    formula: 'Vmax*x^h/(K^h + x^h)',
    parameters: { Vmax: vmax, K: km, h: exponent('Hill coefficient', 0.3, 5) },
    suits: all(rising, places(5), ({ low }) => low > 0),
    use: 'An enzyme of several subunits whose rates rise like an S.',
    reference: 'Hill, J. Physiol. 40 (1910) iv',
  },
  {
    name: 'substrate-inhibition',
    title: 'Substrate inhibition (Haldane)',
    field: 'enzyme kinetics',
    formula: 'Vmax*x/(Km + x*(1 + x/Ki))',
    parameters: { Vmax: vmax, Km: km, Ki: half('constant of the inhibition by substrate', 20) },
    suits: all(fromZero, places(6)),
    use: 'Rates that fall again at high substrate.',
    reference: 'Haldane, Enzymes, Longmans 1930',
  },
  {
    name: 'competitive-inhibition',
    title: 'Competitive inhibition',
    field: 'enzyme kinetics',
    formula: 'Vmax*x/(Km*(1 + I/Ki) + x)',
    parameters: { Vmax: vmax, Km: km, Ki: ki('inhibition constant') },
    covariates: inhibitor,
    suits: all(rising, places(4)),
    use: 'Rates over substrate at several inhibitor concentrations: Km grows, Vmax stays.',
    reference: cornish,
  },
  {
    name: 'uncompetitive-inhibition',
    title: 'Uncompetitive inhibition',
    field: 'enzyme kinetics',
    formula: 'Vmax*x/(Km + x*(1 + I/Ki))',
    parameters: { Vmax: vmax, Km: km, Ki: ki('inhibition constant') },
    covariates: inhibitor,
    suits: all(rising, places(4)),
    use: 'Rates over substrate at several inhibitor concentrations: Km and Vmax fall alike.',
    reference: cornish,
  },
  {
    name: 'noncompetitive-inhibition',
    title: 'Noncompetitive inhibition',
    field: 'enzyme kinetics',
    formula: 'Vmax*x/((Km + x)*(1 + I/Ki))',
    parameters: { Vmax: vmax, Km: km, Ki: ki('inhibition constant') },
    covariates: inhibitor,
    suits: all(rising, places(4)),
    use: 'Rates over substrate at several inhibitor concentrations: Vmax falls, Km stays.',
    reference: cornish,
  },
  {
    name: 'mixed-inhibition',
    title: 'Mixed inhibition',
    field: 'enzyme kinetics',
    formula: 'Vmax*x/(Km*(1 + I/Kic) + x*(1 + I/Kiu))',
    parameters: {
      Vmax: vmax,
      Km: km,
      Kic: ki('competitive inhibition constant'),
      Kiu: ki('uncompetitive inhibition constant'),
    },
    covariates: inhibitor,
    suits: all(rising, places(5)),
    use: 'An inhibitor that binds enzyme and complex with different strengths.',
    reference: cornish,
  },
  {
    name: 'morrison',
    narrow: true,
    title: 'Tight binding (Morrison)',
    field: 'enzyme kinetics',
    formula: 's = E + x + Ki\nv0*(1 - (s - sqrt(s^2 - 4*E*x))/(2*E))',
    parameters: {
      v0: level('rate without inhibitor'),
      E: half('concentration of active enzyme', 1),
      Ki: half('apparent inhibition constant', 20),
    },
    suits: all(fromZero, falls, places(6)),
    use: 'An inhibitor so strong that enzyme uses it up.',
    reference: 'Morrison, Biochim. Biophys. Acta 185 (1969) 269',
  },
  {
    name: 'progress-curve',
    title: 'Progress curve (integrated Michaelis–Menten)',
    field: 'enzyme kinetics',
    over: 'time',
    formula: `${substrateLeft}\nS0 - Km*w`,
    parameters: progress,
    suits: all(fromZero, rises, places(6)),
    use: 'Product over time until the substrate is used up: S0 of it at first, and nothing inhibits.',
    reference: integrated,
  },
  {
    name: 'substrate-depletion',
    title: 'Substrate over time (integrated Michaelis–Menten)',
    field: 'enzyme kinetics',
    over: 'time',
    formula: `${substrateLeft}\nKm*w`,
    parameters: progress,
    suits: all(fromZero, falls, places(6)),
    use: 'Substrate over time until it is used up: a fall that is straight at first, and an exponential at the end.',
    reference: integrated,
  },
  {
    name: 'slow-binding',
    narrow: true,
    title: 'Progress curve with slow binding',
    field: 'enzyme kinetics',
    over: 'time',
    formula: 'P0 + vs*x + (v0 - vs)*(-expm1(-k*x))/k',
    parameters: {
      P0: level('product at the start'),
      v0: slope('first rate'),
      vs: slope('rate at the end'),
      k: rate('rate of the change between them'),
    },
    suits: all(fromZero, places(8)),
    use: 'A progress curve with a burst or a lag: slow inhibitors, hysteresis.',
    reference: 'Morrison and Walsh, Adv. Enzymol. 61 (1988) 201',
  },
  {
    name: 'ph-activity',
    narrow: true,
    title: 'Activity over pH',
    field: 'enzyme kinetics',
    formula: 'Vopt/(1 + 10^(pKa1 - x) + 10^(x - pKa2))',
    parameters: {
      Vopt: level('activity if all enzyme were in the active form'),
      pKa1: {
        meaning: 'pKa of the group that must have lost its proton',
        unit: 'x',
        start: ({ low, middle }) => ({ low: low - 1, high: middle + 1, log: false }),
      },
      pKa2: {
        meaning: 'pKa of the group that must keep its proton',
        unit: 'x',
        start: ({ high, middle }) => ({ low: middle - 1, high: high + 1, log: false }),
      },
    },
    suits: all(fromZero, places(6), ({ high }) => high <= 14),
    use: 'An activity with an optimum of pH.',
    reference: cornish,
  },
];

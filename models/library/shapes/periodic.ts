/** What comes again. */
import { all, level, places, rate, slope } from '../parameters.ts';
import type { DataRange, Shape, ShapeParameter } from '../shape.ts';

/** From half a period in the span to two rows for each half. */
const frequency: ShapeParameter = {
  meaning: 'angular frequency; the period is 2π/w',
  unit: '1/x',
  start: ({ span, places: count }: DataRange) => ({
    low: Math.PI / span,
    high: (Math.PI * Math.min(count, 200)) / (2 * span),
    log: false,
  }),
  positive: true,
};
const cosinor = 'Cornelissen, Theor. Biol. Med. Model. 11 (2014) 16';

export const periodic: readonly Shape[] = [
  {
    name: 'wave',
    title: 'Wave',
    field: 'periodic',
    formula: 'c + a*sin(w*x) + b*cos(w*x)',
    parameters: { c: level('mean'), a: level('sine part'), b: level('cosine part'), w: frequency },
    shifts: true,
    suits: places(9),
    use: 'One period, with amplitude √(a² + b²): circadian rhythms (cosinor), oscillations.',
    reference: cosinor,
  },
  {
    name: 'wave-on-line',
    narrow: true,
    title: 'Wave on a line',
    field: 'periodic',
    formula: 'c + d*x + a*sin(w*x) + b*cos(w*x)',
    parameters: {
      c: level('value at x = 0'),
      d: slope('trend'),
      a: level('sine part'),
      b: level('cosine part'),
      w: frequency,
    },
    shifts: true,
    suits: places(12),
    use: 'A season on a trend.',
    reference: cosinor,
  },
  {
    name: 'wave-with-harmonic',
    title: 'Wave with its second harmonic',
    field: 'periodic',
    formula: 'c + a*sin(w*x) + b*cos(w*x) + a2*sin(2*w*x) + b2*cos(2*w*x)',
    parameters: {
      c: level('mean'),
      a: level('sine part'),
      b: level('cosine part'),
      a2: level('sine part of twice the frequency'),
      b2: level('cosine part of twice the frequency'),
      w: frequency,
    },
    shifts: true,
    suits: places(14),
    use: 'A period whose rise and fall differ: tides, seasons, rhythms.',
    reference: cosinor,
  },
  {
    name: 'damped-wave',
    title: 'Damped wave',
    field: 'periodic',
    formula: 'c + exp(-k*x)*(a*sin(w*x) + b*cos(w*x))',
    parameters: {
      c: level('level at the end'),
      k: rate('rate of damping', 0.5),
      a: level('sine part at the start'),
      b: level('cosine part at the start'),
      w: frequency,
    },
    shifts: true,
    suits: all(places(12)),
    use: 'An oscillation that dies away: pendulum, ring-down, Rabi.',
    reference: 'French, Vibrations and Waves, Norton 1971, chapter 3',
  },
];

/** Sizes, populations and yields in time. */
import { all, exponent, fromZero, half, level, place, places, rate, rises, slope, width } from '../parameters.ts';
import type { Shape } from '../shape.ts';

const zwietering = 'Zwietering, Jongenburger, Rombouts and van ’t Riet, Appl. Environ. Microbiol. 56 (1990) 1875';
const grows = all(rises, places(6));
const size = level('size at the end');
const grown = level('growth in all');
const first = level('size at the start');
const lag = place('lag before growth');

export const growth: readonly Shape[] = [
  {
    name: 'growth',
    title: 'Exponential growth',
    field: 'growth',
    formula: 'A*exp(k*x)',
    parameters: {
      A: level('size at the start'),
      k: {
        meaning: 'rate; the doubling time is log(2)/k',
        unit: '1/x',
        start: ({ span }) => ({ low: 0.03 / span, high: 40 / span, log: true }),
        positive: true,
      },
    },
    shifts: true,
    suits: rises,
    use: 'Growth by the same share in equal times, with nothing to limit it.',
    reference: 'Monod, Annu. Rev. Microbiol. 3 (1949) 371',
  },
  {
    name: 'logistic-growth',
    title: 'Logistic growth',
    field: 'growth',
    formula: 'K/(1 + exp(-r*(x - m)))',
    parameters: { K: size, r: rate('rate of growth at small size'), m: place('when half the size is reached') },
    suits: grows,
    use: 'Growth that slows as it nears what the surroundings carry.',
    reference: 'Verhulst, Corresp. Math. Phys. 10 (1838) 113',
  },
  {
    name: 'sigmoid',
    title: 'Sigmoid between two levels',
    field: 'growth',
    formula: 'c + d/(1 + exp(-(x - m)/s))',
    parameters: {
      c: level('level before'),
      d: level('change in all'),
      m: place('the middle'),
      s: width('width of the change'),
    },
    suits: places(6),
    use: 'A change between two levels: growth on a background, melting, activation over voltage (Boltzmann).',
    reference: 'Hodgkin and Huxley, J. Physiol. 117 (1952) 500',
  },
  {
    name: 'gompertz-growth',
    title: 'Gompertz growth',
    field: 'growth',
    formula: 'K*exp(-exp(-r*(x - m)))',
    parameters: { K: size, r: rate('rate'), m: place('when growth is fastest, at 0.37 of the end') },
    suits: grows,
    use: 'Growth that is fastest early: tumours, animals, crops.',
    reference: 'Winsor, Proc. Natl. Acad. Sci. 18 (1932) 1',
  },
  {
    name: 'gompertz-microbial',
    title: 'Modified Gompertz (Zwietering)',
    field: 'growth',
    formula: 'y0 + A*exp(-exp(mu*e/abs(A)*(lag - x) + 1))',
    parameters: {
      y0: first,
      A: {
        meaning: 'growth in all',
        unit: 'y',
        start: ({ yLow, yHigh }) => ({ low: 0.6 * (yHigh - yLow), high: 1.4 * (yHigh - yLow), log: true }),
        positive: true,
      },
      mu: {
        meaning: 'greatest rate of growth',
        unit: 'y/x',
        start: ({ yLow, yHigh, span }) => ({
          low: (0.7 * (yHigh - yLow)) / span,
          high: (20 * (yHigh - yLow)) / span,
          log: true,
        }),
        positive: true,
      },
      lag,
    },
    suits: all(grows, ({ yHigh, yLow }) => yHigh > yLow),
    use: 'The logarithm of a number of microbes, with lag and greatest rate as parameters.',
    reference: zwietering,
  },
  {
    name: 'richards-growth',
    title: 'Richards growth',
    field: 'growth',
    formula: 'K*(1 + v*exp(-r*(x - m)))^(-1/v)',
    parameters: {
      K: size,
      r: rate('rate'),
      m: place('when growth is fastest'),
      v: exponent('asymmetry; 1 is logistic, 0 Gompertz', 0.05, 8),
    },
    suits: all(grows, places(8)),
    use: 'Growth whose inflexion lies anywhere.',
    reference: 'Richards, J. Exp. Bot. 10 (1959) 290',
  },
  {
    name: 'baranyi-growth',
    title: 'Baranyi–Roberts growth',
    field: 'growth',
    formula:
      'q = x + log(exp(-mu*x) + exp(-mu*lag) - exp(-mu*(x + lag)))/mu\ny0 + mu*q - log(1 + expm1(mu*q)/exp(ymax - y0))',
    parameters: {
      y0: {
        meaning: 'logarithm of the number at the start',
        unit: '',
        start: ({ yLow, yHigh }) => ({
          low: yLow - 0.15 * (yHigh - yLow),
          high: yLow + 0.25 * (yHigh - yLow),
          log: false,
        }),
      },
      ymax: {
        meaning: 'logarithm of the number at the end',
        unit: '',
        start: ({ yLow, yHigh }) => ({
          low: yHigh - 0.25 * (yHigh - yLow),
          high: yHigh + 0.15 * (yHigh - yLow),
          log: false,
        }),
      },
      mu: {
        meaning: 'greatest specific rate',
        unit: '1/x',
        start: ({ yLow, yHigh, span }) => ({
          low: (0.7 * (yHigh - yLow)) / span,
          high: (15 * (yHigh - yLow)) / span,
          log: true,
        }),
        positive: true,
      },
      lag: {
        meaning: 'lag before growth',
        unit: 'x',
        start: ({ span }) => ({ low: span / 50, high: span / 1.5, log: true }),
        positive: true,
      },
    },
    suits: all(fromZero, grows, places(8)),
    use: 'The natural logarithm of a number of microbes, with a lag from their state.',
    reference: 'Baranyi and Roberts, Int. J. Food Microbiol. 23 (1994) 277',
  },
  {
    name: 'von-bertalanffy',
    title: 'Von Bertalanffy growth',
    field: 'growth',
    formula: 'L*(1 - exp(-k*(x - x0)))',
    parameters: {
      L: level('length at the end'),
      k: rate('rate'),
      x0: {
        meaning: 'age of length 0',
        unit: 'x',
        start: ({ low, span }) => ({ low: low - span, high: low + 0.2 * span, log: false }),
      },
    },
    suits: all(rises, places(5)),
    use: 'Lengths of fish and other animals over age.',
    reference: 'von Bertalanffy, Hum. Biol. 10 (1938) 181',
  },
  {
    name: 'weibull-growth',
    title: 'Weibull growth',
    field: 'growth',
    formula: 'a - d*exp(-exp(lrc)*x^p)',
    parameters: {
      a: size,
      d: grown,
      lrc: {
        meaning: 'logarithm of the rate',
        unit: '',
        start: ({ high }) => ({ low: -8 - 2 * Math.log(Math.max(high, 1)), high: 2, log: false }),
      },
      p: exponent('power of time', 0.5, 5),
    },
    suits: all(({ low }) => low > 0, grows),
    use: 'Growth in an S from a level other than 0: weights of chicks.',
    reference: 'Pinheiro and Bates, Mixed-Effects Models in S and S-PLUS, Springer 2000, appendix C',
  },
  {
    name: 'morgan-mercer-flodin',
    title: 'Morgan–Mercer–Flodin growth',
    field: 'growth',
    narrow: true,
    formula: 'a - d/(1 + (x/m)^p)',
    parameters: { a: size, d: grown, m: half('when half of it has grown'), p: exponent('power of time', 0.3, 5) },
    suits: all(fromZero, ({ low }) => low > 0, grows),
    use: 'Growth in an S whose end is long in coming: heights of trees, weights of animals.',
    reference: 'Morgan, Mercer and Flodin, Proc. Natl. Acad. Sci. USA 72 (1975) 4327',
  },
  {
    name: 'linear-plateau',
    title: 'Line to a plateau',
    field: 'growth',
    formula: 'a + b*min(x, x0)',
    parameters: { a: level('value at x = 0'), b: slope('slope'), x0: half('where the plateau begins', 1) },
    suits: all(fromZero, places(5)),
    use: 'Yield over fertiliser, and other answers that one thing limits until another does.',
    reference: 'Cerrato and Blackmer, Agron. J. 82 (1990) 138',
  },
];

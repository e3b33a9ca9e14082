/**
 * Stiff and oscillating problems of the field. What the states are at the end is from the reports of the Test Set for IVP
 * Solvers (Mazzia & Magherini, release 2.4), where that holds the problem: SciPy's Radau at 10⁻¹² has the same to twelve digits
 * and more. An orbit is closed; the Brusselator and the doses are by SciPy's Radau and DOP853 at 10⁻¹³.
 */
import type { PlainBlock } from '../../../support/command-line.ts';

type States = Readonly<Record<string, readonly [number | string, string]>>;

export interface Problem {
  readonly name: string;
  /** Keys of the ode block. */
  readonly block: PlainBlock;
  readonly end: number;
  readonly wanted: readonly number[];
  /** An orbit's end is measured by its size, whatever a coordinate is there. */
  readonly closed?: boolean;
}

export const states = (entries: States): PlainBlock =>
  Object.fromEntries(Object.entries(entries).map(([name, [initial, rate]]) => [name, { initial, rate }]));

const hires: Problem = {
  name: 'HIRES',
  block: {
    state: states({
      y1: [1, '-1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007'],
      y2: [0, '1.71*y1 - 8.75*y2'],
      y3: [0, '-10.03*y3 + 0.43*y4 + 0.035*y5'],
      y4: [0, '8.32*y2 + 1.71*y3 - 1.12*y4'],
      y5: [0, '-1.745*y5 + 0.43*y6 + 0.43*y7'],
      y6: [0, '-280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7'],
      y7: [0, '280*y6*y8 - 1.81*y7'],
      y8: [0.0057, '-280*y6*y8 + 1.81*y7'],
    }),
  },
  end: 321.8122,
  wanted: [
    0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2, 0.2386356198831331e-2,
    0.6238968252742796e-2, 0.2849998395185769e-2, 0.285000160481423e-2,
  ],
};

const vanDerPol: Problem = {
  name: 'van der Pol, μ = 1000',
  block: { state: states({ x: [2, 'y'], y: [0, '1000*(1 - x^2)*y - x'] }) },
  end: 2000,
  wanted: [0.1706167732170483e1, -0.8928097010247975e-3],
};

const robertson: Problem = {
  name: 'Robertson',
  block: {
    state: states({
      a: [1, '-0.04*a + 1e4*b*c'],
      b: [0, '0.04*a - 1e4*b*c - 3e7*b^2'],
      c: [0, '3e7*b^2'],
    }),
  },
  end: 1e11,
  wanted: [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505],
};

const oregonator: Problem = {
  name: 'OREGO',
  block: {
    state: states({
      a: [1, '77.27*(b + a*(1 - 8.375e-6*a - b))'],
      b: [2, '(c - (1 + a)*b)/77.27'],
      c: [3, '0.161*(a - c)'],
    }),
  },
  end: 360,
  wanted: [0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3],
};

const pollution: Problem = {
  name: 'POLLU',
  block: {
    formulas: {
      r1: '0.35*y1',
      r2: '26.6*y2*y4',
      r3: '1.23e4*y5*y2',
      r4: '8.6e-4*y7',
      r5: '8.2e-4*y7',
      r6: '1.5e4*y7*y6',
      r7: '1.3e-4*y9',
      r8: '2.4e4*y9*y6',
      r9: '1.65e4*y11*y2',
      r10: '9e3*y11*y1',
      r11: '0.022*y13',
      r12: '1.2e4*y10*y2',
      r13: '1.88*y14',
      r14: '1.63e4*y1*y6',
      r15: '4.8e6*y3',
      r16: '3.5e-4*y4',
      r17: '0.0175*y4',
      r18: '1e8*y16',
      r19: '4.44e11*y16',
      r20: '1240*y17*y6',
      r21: '2.1*y19',
      r22: '5.78*y19',
      r23: '0.0474*y1*y4',
      r24: '1780*y19*y1',
      r25: '3.12*y20',
    },
    state: states({
      y1: [0, '-r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25'],
      y2: [0.2, '-r2 - r3 - r9 - r12 + r1 + r21'],
      y3: [0, '-r15 + r1 + r17 + r19 + r22'],
      y4: [0.04, '-r2 - r16 - r17 - r23 + r15'],
      y5: [0, '-r3 + 2*r4 + r6 + r7 + r13 + r20'],
      y6: [0, '-r6 - r8 - r14 - r20 + r3 + 2*r18'],
      y7: [0.1, '-r4 - r5 - r6 + r13'],
      y8: [0.3, 'r4 + r5 + r6 + r7'],
      y9: [0.01, '-r7 - r8'],
      y10: [0, '-r12 + r7 + r9'],
      y11: [0, '-r9 - r10 + r8 + r11'],
      y12: [0, 'r9'],
      y13: [0, '-r11 + r10'],
      y14: [0, '-r13 + r12'],
      y15: [0, 'r14'],
      y16: [0, '-r18 - r19 + r16'],
      y17: [0.007, '-r20'],
      y18: [0, 'r20'],
      y19: [0, '-r21 - r22 - r24 + r23 + r25'],
      y20: [0, '-r25 + r24'],
    }),
  },
  end: 60,
  wanted: [
    0.5646255480022769e-1, 0.1342484130422339, 0.4139734331099427e-8, 0.5523140207484359e-2, 0.2018977262302196e-6,
    0.1464541863493966e-6, 0.7784249118997964e-1, 0.3245075353396018, 0.7494013383880406e-2, 0.1622293157301561e-7,
    0.1135863833257075e-7, 0.2230505975721359e-2, 0.208716288279863e-3, 0.1396921016840158e-4, 0.8964884856898295e-2,
    0.4352846369330103e-17, 0.6899219696263405e-2, 0.1007803037365946e-3, 0.1772146513969984e-5, 0.5682943292316392e-4,
  ],
};

/** u′ = 1 + u²v − 4u + u″/50, v′ = 3u − u²v + v″/50 at 30 places between u = 1, v = 3 (Hairer & Wanner, section IV.1). */
function brusselator(): Problem {
  const places = Array.from({ length: 30 }, (_, i) => i + 1);
  const at = (name: string, i: number, edge: number): string => (i < 1 || i > 30 ? String(edge) : `${name}${i}`);
  const bent = (name: string, i: number, edge: number): string =>
    `19.22*(${at(name, i - 1, edge)} - 2*${name}${i} + ${at(name, i + 1, edge)})`;
  return {
    name: 'Brusselator, 60 states',
    block: {
      state: states({
        ...Object.fromEntries(
          places.map((i) => [
            `u${i}`,
            [1 + Math.sin((2 * Math.PI * i) / 31), `1 + u${i}^2*v${i} - 4*u${i} + ${bent('u', i, 1)}`],
          ]),
        ),
        ...Object.fromEntries(places.map((i) => [`v${i}`, [3, `3*u${i} - u${i}^2*v${i} + ${bent('v', i, 3)}`]])),
      }),
    },
    end: 10,
    wanted: [
      0.9167101937815695, 0.8368690483874556, 0.7631789168229548, 0.6973995447132653, 0.6403584441829544,
      0.5921091823323827, 0.5521577929059914, 0.5196897853776666, 0.49375763415815843, 0.47341480271364644,
      0.4577996040071153, 0.4461801353778191, 0.43797303971259016, 0.4327470956334625, 0.4302198291306698,
      0.43025261157790173, 0.43284746408295555, 0.4381470126643594, 0.44643753093825617, 0.4581534994327853,
      0.47388034027619463, 0.4943497652583156, 0.5204195178959965, 0.5530266354856008, 0.5931018919218075,
      0.6414350194808609, 0.6984887179714294, 0.764176948557891, 0.8376487057295599, 0.9171442100204807,
      3.105156039863038, 3.2058282458970946, 3.2984175495251162, 3.380503873284456, 3.4508838330394784,
      3.5094135876686763, 3.5567475788103216, 3.594054676123908, 3.6227649124059833, 3.6443707201826654,
      3.660285655787401, 3.6717524156118984, 3.6797880632099393, 3.685154687055126, 3.688345854925075,
      3.689581878188063, 3.688809456334435, 3.6857035920739003, 3.679671822510669, 3.6698629576815627,
      3.655184805737076, 3.6343378544005605, 3.605874401882333, 3.5682945642604893, 3.5201905578645354,
      3.4604463331446462, 3.388488033770515, 3.3045597376112985, 3.2099704094335677, 3.1072316886619222,
    ],
  };
}

const fast = Math.sqrt(19);
export const kepler: Problem = {
  name: 'Kepler, e = 0.9, ten revolutions',
  block: {
    state: states({
      x: [0.1, 'u'],
      y: [0, 'v'],
      u: [0, '-x/(x^2 + y^2)^1.5'],
      v: [fast, '-y/(x^2 + y^2)^1.5'],
    }),
  },
  end: 20 * Math.PI,
  wanted: [0.1, 0, 0, fast],
  closed: true,
};

/** Hairer, Nørsett & Wanner, section II.0. */
const arenstorf: Problem = {
  name: 'Arenstorf’s orbit',
  block: {
    formulas: {
      d1: '((x + 0.012277471)^2 + y^2)^1.5',
      d2: '((x - 0.987722529)^2 + y^2)^1.5',
    },
    state: states({
      x: [0.994, 'u'],
      y: [0, 'v'],
      u: [0, 'x + 2*v - 0.987722529*(x + 0.012277471)/d1 - 0.012277471*(x - 0.987722529)/d2'],
      v: [-2.0015851063790825, 'y - 2*u - 0.987722529*y/d1 - 0.012277471*y/d2'],
    }),
  },
  end: 17.065216560157964,
  wanted: [0.994, 0, 0, -2.0015851063790825],
  closed: true,
};

const doses: Problem = {
  name: 'five doses, saturable elimination',
  block: {
    state: states({ gut: [0, '-1.2*gut'], blood: [0, '1.2*gut - 8*blood/(3 + blood)'] }),
    events: [0, 12, 24, 36, 48].map((time) => ({ times: time, state: 'gut', add: 50 })),
  },
  end: 60,
  wanted: [2.7869533997683546e-5, 4.016883672150935e-5],
};

export const stiff: readonly Problem[] = [hires, vanDerPol, robertson, oregonator, pollution];
export const large: Problem = brusselator();
export const smooth: readonly Problem[] = [kepler, arenstorf, doses];

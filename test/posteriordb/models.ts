/**
 * Models of posteriordb as documents. Stan's text is their definition: a prior that it does not write is flat on the
 * parameter's own scale, and constraints truncate. Nothing is tuned: coefficients begin at 0, what is positive at 1.
 */
type Block = Readonly<Record<string, unknown>>;
type Columns = Readonly<Record<string, readonly number[]>>;
/** What is in a data file. */
export type Data = Readonly<Record<string, number | readonly number[] | readonly (readonly number[])[]>>;

export interface PosteriorModel {
  readonly document: Readonly<Record<string, unknown>>;
  /** Of Stan's names: the parameter's element, or what is computed from elements. */
  readonly quantities: Readonly<Record<string, string | ((at: (name: string) => number) => number)>>;
}

const list = (data: Data, name: string): readonly number[] => data[name] as readonly number[];
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const mean = (x: readonly number[]): number => x.reduce((sum, value) => sum + value, 0) / x.length;
const centred = (x: readonly number[]): number[] => x.map((value) => value - mean(x));
const standardDeviation = (x: readonly number[]): number =>
  Math.sqrt(centred(x).reduce((sum, value) => sum + value * value, 0) / (x.length - 1));

const parameter = (id: string, initial: number, more: Block = {}): Block => ({
  id,
  kind: 'parameter',
  initial,
  ...more,
});
const above = (id: string, more: Block = {}): Block => parameter(id, 1, { lower: 0, ...more });
const normalPrior = (mean: number, sd: number): Block => ({ prior: { family: 'normal', mean, sd } });
const cauchyPrior = (scale: number): Block => ({ prior: { family: 'cauchy', location: 0, scale } });

function documentOf(name: string, columns: Columns, blocks: readonly Block[], objective: string | readonly string[]) {
  return {
    format: 'cotangent/1',
    name,
    tables: { data: { columns } },
    blocks: [
      ...Object.keys(columns).map((column) => ({ id: column, kind: 'column', table: 'data', column, type: 'real' })),
      ...blocks,
    ],
    objective,
  };
}

interface Regression {
  readonly y: readonly number[];
  /** After the intercept, where there is one. */
  readonly x: readonly (readonly number[])[];
  readonly intercept?: boolean;
  readonly sigma?: Block;
  readonly beta?: Block;
  /** Of the coefficients, by place. */
  readonly names?: (place: number) => string;
}

/** y ~ normal(beta[1] + beta[2]·x₁ + …, sigma) */
function regression(
  name: string,
  { y, x, intercept = true, sigma = {}, beta = {}, names }: Regression,
): PosteriorModel {
  const count = x.length + (intercept ? 1 : 0);
  const terms = times(count, (i) =>
    intercept ? (i === 0 ? 'beta1' : `beta${i + 1}*x${i}`) : `beta${i + 1}*x${i + 1}`,
  );
  const columns = { y, ...Object.fromEntries(x.map((column, i) => [`x${i + 1}`, column])) };
  const nameOf = names ?? ((place: number) => `beta[${place}]`);
  return {
    document: documentOf(
      name,
      columns,
      [
        ...times(count, (i) => parameter(`beta${i + 1}`, 0, beta)),
        above('sigma', sigma),
        { id: 'mu', kind: 'map', formula: terms.join(' + ') },
        { id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'mu', sigma: 'sigma' },
      ],
      'loss',
    ),
    quantities: { ...Object.fromEntries(times(count, (i) => [nameOf(i + 1), `beta${i + 1}`])), sigma: 'sigma' },
  };
}

const log = (x: readonly number[]): number[] => x.map(Math.log);
const product = (...factors: readonly (readonly number[])[]): number[] =>
  factors[0]!.map((_, i) => factors.reduce((all, factor) => all * factor[i]!, 1));
const ratio = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value / b[i]!);
const equals = (x: readonly number[], code: number): number[] => x.map((value) => (value === code ? 1 : 0));

/** Two hidden states, each with its own distributions of u and v: the forward algorithm as a recurrence. */
function hiddenMarkov(name: string, data: Data, emission: (k: number) => string, ordered: Block): PosteriorModel {
  const alpha = data['alpha'] as readonly (readonly number[])[];
  const stays = (k: number): Block => {
    const [first, second] = alpha[k]!;
    return { lower: 0, upper: 1, prior: { family: 'beta', alpha: first, beta: second } };
  };
  const gap = (id: string): Block[] => [
    parameter(`${id}1`, 1, { ...ordered, ...normalPrior(0, 1) }),
    above(`${id}Gap`),
    { id: `${id}2`, kind: 'map', formula: `${id}1 + ${id}Gap` },
    { id: `${id}Prior`, kind: 'likelihood', family: 'normal', observed: `${id}2`, mean: 3, sigma: 1 },
  ];
  const from = (k: number): string =>
    `e${k} + if(index == 0, 0, logaddexp(g1 + log(${k === 1 ? 'p' : '1 - p'}), g2 + log(${k === 1 ? 'q' : '1 - q'})))`;
  return {
    document: documentOf(
      name,
      { u: list(data, 'u'), v: list(data, 'v') },
      [
        parameter('p', 0.5, stays(0)),
        parameter('q', 0.5, stays(1)),
        ...gap('phi'),
        ...gap('lambda'),
        { id: 'e1', kind: 'map', formula: emission(1) },
        { id: 'e2', kind: 'map', formula: emission(2) },
        {
          id: 'forward',
          kind: 'recurrence',
          inputs: { e1: 'e1', e2: 'e2' },
          state: { g1: { initial: 0, next: from(1) }, g2: { initial: 0, next: from(2) } },
          emit: 'final',
        },
        { id: 'loss', kind: 'map', formula: '-logaddexp(a, b)', inputs: { a: 'forward.g1', b: 'forward.g2' } },
      ],
      ['loss', 'phiPrior', 'lambdaPrior'],
    ),
    quantities: {
      'theta1[1]': 'p',
      'theta1[2]': (at) => 1 - at('p'),
      'theta2[1]': 'q',
      'theta2[2]': (at) => 1 - at('q'),
      'phi[1]': 'phi1',
      'phi[2]': (at) => at('phi1') + at('phiGap'),
      'lambda[1]': 'lambda1',
      'lambda[2]': (at) => at('lambda1') + at('lambdaGap'),
    },
  };
}

/** By their names in Stan. */
export const models: Readonly<Record<string, (data: Data) => PosteriorModel>> = {
  arK(data) {
    const [y, order] = [list(data, 'y'), data['K'] as number];
    return regression('arK', {
      y: y.slice(order),
      x: times(order, (k) => y.slice(order - k - 1, y.length - k - 1)),
      beta: normalPrior(0, 10),
      sigma: cauchyPrior(2.5),
      names: (place) => (place === 1 ? 'alpha' : `beta[${place - 1}]`),
    });
  },
  blr(data) {
    const rows = data['X'] as readonly (readonly number[])[];
    return regression('blr', {
      y: list(data, 'y'),
      x: times(data['D'] as number, (j) => rows.map((row) => row[j]!)),
      intercept: false,
      beta: normalPrior(0, 10),
      sigma: normalPrior(0, 10),
    });
  },
  hmm_drive_0: (data) =>
    hiddenMarkov('hmm_drive_0', data, (k) => `log(phi${k}) - phi${k}*u + log(lambda${k}) - lambda${k}*v`, { lower: 0 }),
  hmm_drive_1: (data) =>
    hiddenMarkov(
      'hmm_drive_1',
      data,
      (k) =>
        `-((u - phi${k})/${String(data['tau'])})^2/2 - ((v - lambda${k})/${String(data['rho'])})^2/2 - log(2*pi*${String(data['tau'])}*${String(data['rho'])})`,
      {},
    ),
  kidscore_interaction_c(data) {
    const [hs, iq] = [centred(list(data, 'mom_hs')), centred(list(data, 'mom_iq'))];
    return regression('kidscore_interaction_c', { y: list(data, 'kid_score'), x: [hs, iq, product(hs, iq)] });
  },
  kidscore_interaction_z(data) {
    const [hs, iq] = ['mom_hs', 'mom_iq'].map((name) => {
      const x = list(data, name);
      return centred(x).map((value) => value / (2 * standardDeviation(x)));
    }) as [number[], number[]];
    return regression('kidscore_interaction_z', { y: list(data, 'kid_score'), x: [hs, iq, product(hs, iq)] });
  },
  kidscore_mom_work: (data) =>
    regression('kidscore_mom_work', {
      y: list(data, 'kid_score'),
      x: [2, 3, 4].map((code) => equals(list(data, 'mom_work'), code)),
    }),
  kidscore_momhs: (data) =>
    regression('kidscore_momhs', {
      y: list(data, 'kid_score'),
      x: [list(data, 'mom_hs')],
      sigma: cauchyPrior(2.5),
    }),
  kidscore_momiq: (data) =>
    regression('kidscore_momiq', {
      y: list(data, 'kid_score'),
      x: [list(data, 'mom_iq')],
      sigma: cauchyPrior(2.5),
    }),
  log10earn_height: (data) =>
    regression('log10earn_height', { y: list(data, 'earn').map(Math.log10), x: [list(data, 'height')] }),
  logearn_height: (data) => regression('logearn_height', { y: log(list(data, 'earn')), x: [list(data, 'height')] }),
  logearn_height_male: (data) =>
    regression('logearn_height_male', { y: log(list(data, 'earn')), x: [list(data, 'height'), list(data, 'male')] }),
  logearn_interaction(data) {
    const [height, male] = [list(data, 'height'), list(data, 'male')];
    return regression('logearn_interaction', {
      y: log(list(data, 'earn')),
      x: [height, male, product(height, male)],
    });
  },
  logearn_logheight_male: (data) =>
    regression('logearn_logheight_male', {
      y: log(list(data, 'earn')),
      x: [log(list(data, 'height')), list(data, 'male')],
    }),
  logmesquite: (data) =>
    regression('logmesquite', {
      y: log(list(data, 'weight')),
      x: [
        ...['diam1', 'diam2', 'canopy_height', 'total_height', 'density'].map((name) => log(list(data, name))),
        list(data, 'group'),
      ],
    }),
  logmesquite_logva(data) {
    const [a, b, height] = ['diam1', 'diam2', 'canopy_height'].map((name) => list(data, name)) as [
      number[],
      number[],
      number[],
    ];
    return regression('logmesquite_logva', {
      y: log(list(data, 'weight')),
      x: [log(product(a, b, height)), log(product(a, b)), list(data, 'group')],
    });
  },
  logmesquite_logvas(data) {
    const [a, b, height] = ['diam1', 'diam2', 'canopy_height'].map((name) => list(data, name)) as [
      number[],
      number[],
      number[],
    ];
    return regression('logmesquite_logvas', {
      y: log(list(data, 'weight')),
      x: [
        log(product(a, b, height)),
        log(product(a, b)),
        log(ratio(a, b)),
        log(list(data, 'total_height')),
        log(list(data, 'density')),
        list(data, 'group'),
      ],
    });
  },
  logmesquite_logvolume(data) {
    const factors = ['diam1', 'diam2', 'canopy_height'].map((name) => list(data, name));
    return regression('logmesquite_logvolume', { y: log(list(data, 'weight')), x: [log(product(...factors))] });
  },
  nes: (data) =>
    regression('nes', {
      y: list(data, 'partyid7'),
      x: [
        ...['real_ideo', 'race_adj'].map((name) => list(data, name)),
        ...[2, 3, 4].map((code) => equals(list(data, 'age_discrete'), code)),
        ...['educ1', 'gender', 'income'].map((name) => list(data, name)),
      ],
    }),
  one_comp_mm_elim_abs(data) {
    const [dose, volume] = [data['D'] as number, data['V'] as number];
    return {
      document: documentOf(
        'one_comp_mm_elim_abs',
        { times: list(data, 'times'), observed: list(data, 'C_hat') },
        [
          ...['ka', 'Km', 'Vm', 'sigma'].map((id) => above(id, cauchyPrior(1))),
          {
            id: 'C',
            kind: 'ode',
            state: {
              C: { initial: 0, rate: `exp(-ka*time)*${dose}*ka/${volume} - Vm/${volume}*C/(Km + C)` },
            },
            times: 'times',
            from: data['t0'],
          },
          { id: 'mu', kind: 'map', formula: 'log(C)' },
          { id: 'loss', kind: 'likelihood', family: 'log-normal', observed: 'observed', mean: 'mu', sigma: 'sigma' },
        ],
        'loss',
      ),
      quantities: { k_a: 'ka', K_m: 'Km', V_m: 'Vm', sigma: 'sigma' },
    };
  },
};

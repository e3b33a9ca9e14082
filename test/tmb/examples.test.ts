/**
 * The examples of TMB whose random effects are no field over space, against what its own runs have stored:
 *
 *     Rscript test/tmb/data.R FOLDER > DATA.json     FOLDER: tmb_examples of kaskr/adcomp; wants R's MASS
 *     TMB=DATA.json npx vitest run test/tmb
 *
 * (`rickervalidation` and `orange_big` stand in test/contract/effects.) States have no density but that of their steps, each
 * normal about what comes of the one before, as the templates say.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { fitModel } from '../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { documentOf, map, parameter, type PlainBlock } from '../support/command-line.ts';

const file = process.env['TMB'];
const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

type Columns = Readonly<Record<string, readonly (number | string)[]>>;
interface Example {
  readonly objective: readonly number[];
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

const column = (table: string, id: string, type = 'real'): PlainBlock => ({
  id,
  kind: 'column',
  table,
  column: id,
  type,
});
const states = (names: readonly string[]): PlainBlock[] => [
  { id: 'u', kind: 'random-effect', like: 't', names, covariance: 'none' },
  ...names.map((name) => ({ ...map(name, 'state'), inputs: { state: `u.${name}` } })),
  ...names.map((name) => ({ id: `${name}1`, kind: 'shift', values: `u.${name}`, by: 1, fill: 0 })),
];
/** −log of the density of the steps to all states but the first. */
const steps = (logDensity: string): PlainBlock[] => [
  map('step', `if(t > 0.5, ${logDensity}, 0)`),
  { id: 'process', kind: 'likelihood', family: 'density', observed: 't', logDensity: 'step' },
];
const half = '0.9189385332046727';
const normalAbout = (mean: string, sd: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean, sigma: sd },
  ...more,
});

async function objectiveOf(
  tables: Readonly<Record<string, Columns>>,
  blocks: readonly PlainBlock[],
  objective: unknown,
) {
  const columns = Object.entries(tables).flatMap(([table, of]) =>
    Object.entries(of).map(([id, [first]]) => column(table, id, typeof first === 'string' ? 'category' : 'real')),
  );
  const document = documentOf([...columns, ...blocks], {
    ...{ objective },
    tables: Object.fromEntries(Object.entries(tables).map(([name, each]) => [name, { columns: each }])),
  });
  const fit = await fitModel(demandModel(await load(document, undefined)), device, { parameters: {} });
  expect(fit.status, fit.reason).toBe('converged');
  return fit.objective;
}

const times = (y: readonly number[]): number[] => y.map((_, i) => i);

describe.skipIf(file === undefined)('TMB', () => {
  const found = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Example>);
  const columnsOf = (name: string) => found[name]!.columns;
  const expected = (name: string, k = -1) => found[name]!.objective.at(k)!;

  it('thetalog: a logistic population', async () => {
    const { y = [] } = columnsOf('thetalog');
    const objective = await objectiveOf(
      { d: { y, t: times(y) } },
      [
        ...[parameter('logr0', 0), parameter('logtheta', 0), parameter('logK', 6), parameter('logQ', 0)],
        ...[parameter('logR', 0), ...states(['x'])],
        map('off', 'x - x1 - exp(logr0)*(1 - exp((x1 - logK)*exp(logtheta)))'),
        ...steps(`-0.5*off^2/exp(logQ) - 0.5*logQ - ${half}`),
        ...[map('s', 'exp(0.5*logR)'), normalAbout('x', 's')],
      ],
      ['l', 'process'],
    );
    expect(objective).toBeCloseTo(expected('thetalog'), 4);
  });

  it('socatt: classes in order, of people asked again', async () => {
    const { y = [], group = [], x0 = [], x1 = [], x2 = [] } = columnsOf('socatt');
    const objective = await objectiveOf(
      { d: { y, g: group.map((g) => `g${g}`), x0, x1, x2 } },
      [
        ...['b0', 'b1', 'b2'].map((id) => parameter(id, 0)),
        { id: 'c', kind: 'parameter', initial: [-4, -3, -2, -1, 0, 1], support: 'ordered' },
        { id: 'u', kind: 'random-effect', like: 'g', sd: 2 },
        { id: 'v', kind: 'gather', from: 'u', indices: 'g' },
        map('m', 'b0*x0 + b1*x1 + b2*x2 + v'),
        { id: 'l', kind: 'likelihood', family: 'ordinal', observed: 'y', location: 'm', thresholds: 'c' },
      ],
      'l',
    );
    expect(objective).toBeCloseTo(expected('socatt'), 3);
  });

  it('sde_linear: a stochastic differential equation that is seen at each tenth step', async () => {
    const { y = [], dt = [] } = columnsOf('sde_linear');
    const objective = await objectiveOf(
      { d: { y, dt, t: times(y) } },
      [
        ...[parameter('lambda', -1), parameter('logsX', Math.log(0.1)), parameter('logsY', Math.log(0.01))],
        ...[...states(['x']), map('off', '(x - x1 - lambda*x1*dt)/exp(logsX)/sqrt(dt)')],
        ...steps(`-0.5*off^2 - logsX - 0.5*log(dt) - ${half}`),
        ...[map('s', 'exp(logsY)'), normalAbout('x', 's')],
      ],
      ['l', 'process'],
    );
    expect(objective).toBeCloseTo(expected('sde_linear'), 4);
  });

  it('mvrw: three walks whose steps are correlated', async () => {
    const { y0 = [], y1 = [], y2 = [] } = columnsOf('mvrw');
    const names = ['a', 'b', 'c'];
    const objective = await objectiveOf(
      { d: { y0, y1, y2, t: times(y0) } },
      [
        ...[parameter('transf', 0.1), map('rho', 'tanh(transf)'), ...states(names)],
        ...names.flatMap((name, k) => [
          ...[parameter(`s${k}`, 0), parameter(`o${k}`, 0), map(`z${k}`, `(${name} - ${name}1)/exp(s${k})`)],
          map(`sd${k}`, `exp(o${k})`),
          normalAbout(name, `sd${k}`, { id: `l${k}`, observed: `y${k}` }),
        ]),
        ...steps(
          `-0.5*(z0^2 + ((z1 - rho*z0)^2 + (z2 - rho*z1)^2)/(1 - rho^2)) - log(1 - rho^2) - s0 - s1 - s2 - 3*${half}`,
        ),
      ],
      ['l0', 'l1', 'l2', 'process'],
    );
    expect(objective).toBeCloseTo(expected('mvrw'), 3);
  });

  it.each([
    ['without a drift', 0],
    ['with one', 1],
  ])('randomwalkvalidation: a walk %s', async (_, drift) => {
    const { y = [] } = columnsOf('randomwalk');
    const objective = await objectiveOf(
      { d: { y, t: times(y) } },
      [
        ...[parameter('logsigma', 0), parameter('logs', 0)],
        ...[drift > 0 ? parameter('mu', 0) : { id: 'mu', kind: 'constant', value: 0 }, ...states(['x'])],
        map('off', '(x - x1 - mu)/exp(logsigma)'),
        map('step', `if(t > 0.5, -0.5*off^2 - logsigma, -0.5*(x/1000)^2 - log(1000)) - ${half}`),
        { id: 'process', kind: 'likelihood', family: 'density', observed: 't', logDensity: 'step' },
        ...[map('s', 'exp(logs)'), normalAbout('x', 's')],
      ],
      ['l', 'process'],
    );
    expect(objective).toBeCloseTo(expected('randomwalk', drift), 4);
  });

  it('nmix: sites of unknown size, whose visitors see more or less', async () => {
    const { y = [], x = [], n = [], observer = [] } = columnsOf('nmix');
    const [sites, visits, sizes] = [x.length, y.length / x.length, n.length];
    const rows = Array.from({ length: sites * visits * sizes }, (_, r) => ({
      ...{ visit: Math.floor(r / sizes), k: r % sizes },
    }));
    const site = ({ visit }: { readonly visit: number }): number => Math.floor(visit / visits);
    const cells = Array.from({ length: sites * sizes }, (_, c) => ({ i: Math.floor(c / sizes), k: c % sizes }));
    const objective = await objectiveOf(
      {
        visits: {
          y: rows.map(({ visit }) => y[visit]!),
          x: rows.map((row) => x[site(row)]!),
          n: rows.map(({ k }) => n[k]!),
          cell: rows.map((row) => site(row) * sizes + row.k),
          g: rows.map(({ visit }) => `o${observer[visit]}`),
        },
        cells: { size: cells.map(({ k }) => n[k]!), site: cells.map(({ i }) => i) },
        sites: { one: x.map(() => 1) },
      },
      [
        ...[parameter('logl', 1.6), parameter('p0', 1), parameter('p1', 1)],
        { id: 'u', kind: 'random-effect', like: 'g' },
        { id: 'v', kind: 'gather', from: 'u', indices: 'g' },
        map('p', '1/(1 + exp(-p0 - p1*x - v))'),
        map(
          'seen',
          'if(n >= y, lgamma(n + 1) - lgamma(y + 1) - lgamma(n - y + 1) + log(p + 1e-12)*y + log(1 + 1e-12 - p)*(n - y), -1000)',
        ),
        { id: 'logg', kind: 'histogram', operator: 'add', values: 'seen', keys: 'cell', bins: sites * sizes },
        map('fg', 'exp(logl*size - exp(logl) - lgamma(size + 1) + logg)'),
        { id: 'all', kind: 'histogram', operator: 'add', values: 'fg', keys: 'site', bins: sites },
        map('each', 'log(1e-12 + all)'),
        { id: 'l', kind: 'likelihood', family: 'density', observed: 'one', logDensity: 'each' },
      ],
      'l',
    );
    // The template leaves ½·log 2π of each of the 40 effects out.
    expect(objective).toBeCloseTo(expected('nmix') + 40 * Number(half), 3);
  });
});

/**
 * `elpdLoo` of `compare`: beside refits by R 4.2 (lm and glm without each row in turn; the scripts are the comments), beside refits
 * of our own where R has no such model, and left out where it would be wrong.
 */
import { describe, expect, it } from 'vitest';
import {
  cotangent,
  column,
  documentOf,
  fitJson,
  map,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

interface Comparison {
  readonly models: readonly { readonly elpdLoo?: number; readonly withoutLoo?: string }[];
  readonly warnings: readonly string[];
}

const x = [0, 1, 2, 3, 4, 5, 6, 7];
const y = [1.1, 2.9, 5.2, 6.8, 9.1, 11.4, 12.7, 15.6];
const w = [1, 2, 1, 0.5, 4, 1, 2, 0.25];
const counts = [2, 3, 6, 7, 8, 9, 10, 12];

const squares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
const poisson: PlainBlock = { id: 'l', kind: 'likelihood', family: 'poisson', mean: 'm', observed: 'k' };
const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', mean: 'm', observed: 'y', sigma: 's' };

interface Asked {
  readonly formula: string;
  readonly starts: Readonly<Record<string, number>>;
  readonly loss?: PlainBlock;
  readonly columns?: Readonly<Record<string, readonly (number | null)[]>>;
  readonly excluded?: readonly number[];
  readonly more?: readonly PlainBlock[];
}

function model(name: string, asked: Asked): string {
  const { formula, starts, loss = squares, columns = { x, y, w, k: counts }, excluded = [], more = [] } = asked;
  const parameters = Object.entries(starts).map(([id, initial]) =>
    parameter(id, initial, id === 's' ? { scale: 'log' } : {}),
  );
  const table = { columns, excluded: excluded.map((row) => ({ row, why: 'left out' })) };
  const blocks = [...Object.keys(columns).map((id) => column(id)), ...parameters, map('m', formula), loss, ...more];
  return written(documentOf(blocks, { name, objective: 'l', tables: { T: table } }));
}

async function compared(...asked: readonly Asked[]): Promise<Comparison> {
  return quietJson(['compare', ...asked.map((each, i) => model(`model ${i}`, each))]);
}

const line: Asked = { formula: 'a + b*x', starts: { a: 0, b: 1 } };
const parabola: Asked = { formula: 'a + b*x + c*x^2', starts: { a: 0, b: 1, c: 0 } };

describe('leave-one-out prediction', () => {
  // sum(sapply(1:n, \(i) { m <- lm(f, d[-i,], weights = w)
  //   dnorm(y[i], predict(m, d[i,]), sqrt(sum(m$weights*m$residuals^2)/(n - 1)/w[i]), log = TRUE) }))
  it('of squares is what lm predicts of each row without it', async () => {
    const { models, warnings } = await compared(line, parabola);
    expect(models[0]!.elpdLoo).toBeCloseTo(-9.65708350400944, 9);
    expect(models[1]!.elpdLoo).toBeCloseTo(-18.2159689700505, 9);
    expect(warnings).toEqual([]);
  });

  it('heeds weights, known errors and rows that do not count', async () => {
    const weighted = { ...line, loss: { ...squares, weights: 'w' } };
    const [first] = (await compared(weighted, { ...parabola, loss: weighted.loss })).models;
    expect(first!.elpdLoo).toBeCloseTo(-13.4717268671037, 9);
    const known = { ...line, loss: { ...squares, sigma: 'w' } };
    const [second] = (await compared(known, { ...parabola, loss: known.loss })).models;
    expect(second!.elpdLoo).toBeCloseTo(-11.70881135844299, 9);
    const columns = { x: [...x, 3.5, 9], y: [...y, null, 0] };
    const more = { columns, excluded: [9] };
    const [third] = (await compared({ ...line, ...more }, { ...parabola, ...more })).models;
    expect(third!.elpdLoo).toBeCloseTo(-9.65708350400944, 9);
  });

  it('is the same of a line whose sigma is a parameter', async () => {
    const written = { ...line, starts: { ...line.starts, s: 1 }, loss: normal };
    const { models } = await compared(written, line);
    expect(models[0]!.elpdLoo).toBeCloseTo(-9.65708350400944, 7);
  });

  // dpois(k[i], predict(glm(f, poisson, d[-i,]), d[i,], type = "response"), log = TRUE)
  it('of counts is what glm predicts', async () => {
    const { models } = await compared(
      { formula: 'exp(a + b*x)', starts: { a: 1, b: 0.1 }, loss: poisson },
      { formula: 'exp(a + 0*x)', starts: { a: 1 }, loss: poisson },
    );
    expect(models[0]!.elpdLoo).toBeCloseTo(-16.124540039736388, 8);
    expect(models[1]!.elpdLoo).toBeCloseTo(-22.89072444867931, 8);
  });

  it('of a curve is what its own fits without each row predict, an outlier among them', async () => {
    const times = [0, 0.5, 1, 2, 3, 5, 8, 12];
    const seen = [10.4, 7.9, 6.3, 3.4, 2.6, 0.9, 1.6, 0.05];
    const decay: Asked = {
      formula: 'A*exp(-k*x)',
      starts: { A: 8, k: 0.3, s: 0.5 },
      loss: normal,
      columns: { x: times, y: seen },
    };
    let sum = 0;
    for (const [i, time] of times.entries()) {
      const { parameters } = await fitJson<{ parameters: Record<'A' | 'k' | 's', { value: number }> }>([
        model('without', { ...decay, excluded: [i] }),
      ]);
      const [A, k, s] = [parameters.A.value, parameters.k.value, parameters.s.value];
      sum += -0.5 * ((seen[i]! - A * Math.exp(-k * time)) / s) ** 2 - Math.log(s) - 0.5 * Math.log(2 * Math.PI);
    }
    const { models } = await compared(decay, { ...decay, formula: 'A*exp(-k*x) + 0*k' });
    expect(models[0]!.elpdLoo).toBeCloseTo(sum, 6);
  });

  it.each<[string, Asked, RegExp]>([
    [
      'one observation alone tells of a parameter',
      { formula: 'if(x > 6, a, b) + c*x', starts: { a: 1, b: 1, c: 1 } },
      /observation 7 cannot be left out: it alone tells of a direction/,
    ],
    [
      'rows look back at what was observed',
      {
        formula: 'a + b*before',
        starts: { a: 0, b: 1 },
        more: [{ id: 'before', kind: 'shift', values: 'y', by: 1 }],
      },
      /"prediction" of the least-squares block "l" is made of what other rows have observed/,
    ],
    [
      'a loss is robust',
      { ...line, loss: { ...squares, loss: { kind: 'huber' } } },
      /robust loss of "l" is no density/,
    ],
  ])('is left out where %s, and says why', async (_, asked, why) => {
    const paths = [model('line', line), model('other', asked)];
    const { stdout } = await cotangent('compare', ...paths, '--json');
    const { models } = JSON.parse(stdout) as Comparison;
    expect(models[0]!.elpdLoo).toBeCloseTo(-9.65708350400944, 9);
    expect(models[1]).not.toHaveProperty('elpdLoo');
    expect(models[1]!.withoutLoo).toMatch(why);
    expect((await cotangent('compare', ...paths)).stdout).toMatch(/^other has no leave-one-out prediction: /m);
  });
});

it('is left out where there are too many parameters for it, and says why', async () => {
  const groups = 200;
  const g = Array.from({ length: 3 * groups }, (_, i) => Math.floor(i / 3));
  const values = g.map((k, i) => Math.sin(k) + 0.3 * Math.cos(7 * i));
  const document = documentOf(
    [
      ...[column('g', { type: 'int' }), column('y')],
      { id: 'c', kind: 'parameter', initial: new Array<number>(groups).fill(0) },
      { id: 'm', kind: 'gather', from: 'c', indices: 'g' },
      squares,
    ],
    { objective: 'l', tables: { T: { columns: { g, y: values } } } },
  );
  const { stdout } = await cotangent('compare', written(document), written(document), '--json');
  const [of] = (JSON.parse(stdout) as Comparison).models;
  expect(of!.elpdLoo).toBeUndefined();
  expect(of!.withoutLoo).toMatch(/600 observations and 200 parameters: too many to leave out one by one/);
});

/** What a fit is given: residuals whose squares are the objective, the posterior, the data, sizes as symbols. */
import { describe, expect, it } from 'vitest';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { c, model, run, type PlainBlock } from '../../support/documents.ts';

const tables = { obs: { columns: { x: [1, 2, 3, 4], y: [2, 'NaN', 7, 8], w: [1, 2, 0, 4] } } };
const col = (id: string): PlainBlock => ({ id, kind: 'column', table: 'obs', column: id });
const line: PlainBlock[] = [
  col('x'),
  col('y'),
  col('w'),
  { id: 'a', kind: 'parameter', initial: 2 },
  { id: 'f', kind: 'map', formula: 'a * x' },
];
const squares = (more: PlainBlock): PlainBlock => ({
  id: 'l',
  kind: 'least-squares',
  prediction: 'f',
  observed: 'y',
  ...more,
});

describe('residuals', () => {
  it.each<readonly [string, PlainBlock, number[], number]>([
    ['plain', {}, [0, 0, -1, 0], 3],
    ['with sigma', { sigma: 0.5 }, [0, 0, -2, 0], 3],
    ['with weights, of which one is 0', { weights: 'w' }, [0, 0, 0, 0], 2],
  ])('%s', async (_, more, wanted, rows) => {
    const results = run(await model([...line, squares(more)], { tables, objective: 'l' }), { objective: 'residuals' });
    expect((results['residuals'] as number[]).map((r) => r + 0)).toEqual(wanted);
    expect(results['objective']).toBe(wanted.reduce((sum, r) => sum + r * r, 0));
    expect(results['rows']).toBe(rows);
  });

  it.each(['huber', 'soft-l1', 'cauchy'])('square to the loss %s', async (kind) => {
    for (const initial of [-3, 1, 1.999999, 2.00001, 5]) {
      const blocks = [
        ...line.map((block) => (block['id'] === 'a' ? { ...block, initial } : block)),
        squares({ loss: { kind, scale: 0.7 } }),
      ];
      const results = run(await model(blocks, { tables, objective: 'l' }), { objective: 'residuals' });
      const sum = (results['residuals'] as number[]).reduce((total, r) => total + r * r, 0);
      expect(sum).toBeCloseTo(results['objective'] as number, 10);
    }
  });

  it('stand one after the other for several blocks', async () => {
    const blocks = [...line, squares({}), { ...squares({ prediction: 'a' }), id: 'm' }];
    const results = run(await model(blocks, { tables, objective: ['l', 'm'] }), { objective: 'residuals' });
    expect((results['residuals'] as number[]).map((r) => r + 0)).toEqual([0, 0, -1, 0, 0, 0, -5, -6]);
    expect(results['objective']).toBe(1 + 25 + 36);
  });

  it('are not there for a likelihood', async () => {
    const blocks = [...line, { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'f', sigma: 1 }];
    const results = run(await model(blocks, { tables, objective: 'l' }), { objective: 'residuals' });
    expect(Object.keys(results).sort()).toEqual(['objective', 'rows']);
  });

  it('leave no NaN in a derivative where nothing was observed', async () => {
    const blocks = [...line.slice(0, -1), { id: 'f', kind: 'map', formula: 'a * x + sqrt(x - 2)*0' }, squares({})];
    const missing = { obs: { columns: { x: [1, 2.5, 3, 4], y: ['NaN', 4, 7, 8], w: [1, 1, 1, 1] } } };
    const lowered = lowerModel(await model(blocks, { tables: missing, objective: 'l' }), { objective: 'value' });
    const program = vjp(lowered.program, { of: ['objective'], by: ['a'] });
    const inputs = new Map<string, ArrayLike<number>>([...lowered.inputs].map(([name, { values }]) => [name, values]));
    const seed = program.parameters.find(({ name }) => !inputs.has(name));
    if (seed) inputs.set(seed.name, [1]);
    const gradient = [...interpret(program, inputs, lowered.sizes)].at(-1)?.[1].values[0];
    // Σ 2(2x − y)x over the rows observed.
    expect(gradient).toBeCloseTo(2 * (1 * 2.5 - 1 * 3), 10);
  });
});

describe('posterior', () => {
  const prior = (more: PlainBlock): PlainBlock[] =>
    line.map((block) => (block['id'] === 'a' ? { ...block, ...more } : block));
  const energy = async (blocks: PlainBlock[]): Promise<number> =>
    run(await model(blocks, { tables, objective: 'l' }), { objective: 'value' })['posterior'] as number;

  // −log of the densities in closed form at a = 2; the data are one residual of −1 and two of 0.
  it.each<readonly [PlainBlock, number]>([
    [{ family: 'normal', mean: 1, sd: 2 }, 0.125 + Math.log(2) + 0.5 * Math.log(2 * Math.PI)],
    [{ family: 'log-normal', mean: 0, sd: 1 }, 0.5 * Math.log(2) ** 2 + Math.log(2) + 0.5 * Math.log(2 * Math.PI)],
    [{ family: 'uniform', lower: 0, upper: 4 }, Math.log(4)],
    [{ family: 'uniform', lower: 3, upper: 4 }, Infinity],
    [{ family: 'gamma', shape: 3, rate: 2 }, -Math.log((8 * 4 * Math.exp(-4)) / 2)],
    [{ family: 'cauchy', location: 1, scale: 1 }, Math.log(2 * Math.PI)],
    [{ family: 'exponential', rate: 0.5 }, 1 - Math.log(0.5)],
    [{ family: 'beta', alpha: 2, beta: 2 }, Infinity],
  ])('%j', async (density, wanted) => {
    // Without sigma: (3/2)·log SSR = 0.
    expect(await energy([...prior({ prior: density }), squares({})])).toBeCloseTo(wanted, 10);
    const known = 0.5 * 4 + 3 * (Math.log(0.5) + 0.5 * Math.log(2 * Math.PI));
    expect(await energy([...prior({ prior: density }), squares({ sigma: 0.5 })])).toBeCloseTo(wanted + known, 10);
  });

  it('has the beta density inside 0 to 1', async () => {
    const wanted = -Math.log(6 * 0.25 * 0.75) + (3 / 2) * Math.log((0.25 - 2) ** 2 + (0.75 - 7) ** 2 + (1 - 8) ** 2);
    expect(
      await energy([...prior({ initial: 0.25, prior: { family: 'beta', alpha: 2, beta: 2 } }), squares({})]),
    ).toBeCloseTo(wanted, 10);
  });

  it('is not there without a prior', async () => {
    expect(await energy([...line, squares({})])).toBeUndefined();
  });
});

describe('the program', () => {
  it('has an input for each source that is needed, and symbols for sizes', async () => {
    const loaded = await model([...line, squares({})], { tables, objective: 'l' });
    const { program, inputs, sizes, parameters } = lowerModel(loaded, { outputs: ['f'] });
    expect([...inputs.keys()]).toEqual(['x', 'a']);
    expect(program.parameters.map(({ value }) => value.type.shape)).toEqual([['n_obs'], []]);
    expect(sizes).toEqual({ n_obs: 4 });
    expect(parameters.map(({ id }) => id)).toEqual(['a']);
    expect([...lowerModel(loaded, { outputs: ['f'], sources: ['w'] }).inputs.keys()].sort()).toEqual(['a', 'w', 'x']);
  });

  it('is the same for data of another length', async () => {
    const longer = { obs: { columns: { x: [1, 2, 3, 4, 5], y: [1, null, 3, 4, 5], w: [1, 1, 1, 1, 1] } } };
    const programs = await Promise.all(
      [tables, longer].map(async (data) =>
        lowerModel(await model([...line, squares({})], { tables: data, objective: 'l' }), { objective: 'residuals' }),
      ),
    );
    expect(programs[0]?.program).toEqual(programs[1]?.program);
    expect(programs.map(({ sizes }) => sizes)).toEqual([{ n_obs: 4 }, { n_obs: 5 }]);
  });

  it('stamps every statement with its block, groups included', async () => {
    const group = {
      id: 'g',
      kind: 'group',
      inputs: { x: 'x' },
      blocks: [c('k', 2), { id: 'h', kind: 'map', formula: 'k*x' }],
      outputs: { y: 'h' },
    };
    const { program, inputs } = lowerModel(await model([col('x'), group], { tables }), { outputs: ['g.y'] });
    expect(program.statements.map((statement) => statement.origin)).toEqual(['g/h']);
    expect([...inputs.keys()]).toEqual(['x', 'g/k']);
  });

  it('refuses a reference that leads nowhere', async () => {
    const loaded = await model(line, { tables });
    expect(() => lowerModel(loaded, { outputs: ['ff'] })).toThrow(/no block "ff"/);
    expect(() => lowerModel(loaded, { objective: 'value' })).toThrow(/names no objective/);
  });
});

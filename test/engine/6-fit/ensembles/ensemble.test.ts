import { afterAll, describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { Cancelled } from '../../../../engine/0-ir/errors.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { referenceDevice } from '../../../../engine/5-runtime/reference-device.ts';
import { coordinates } from '../../../../engine/6-fit/coordinates.ts';
import { gradientName, withGradient } from '../../../../engine/6-fit/derivative-programs.ts';
import { levenbergMarquardt } from '../../../../engine/6-fit/optimisers/levenberg-marquardt.ts';
import { batchedLinearisation } from '../../../../engine/6-fit/ensembles/batched-objective.ts';
import { createEnsemble } from '../../../../engine/6-fit/ensembles/ensemble.ts';
import type { Asking } from '../../../../engine/6-fit/asking.ts';
import { inLanes, inStep } from '../../../../engine/6-fit/ensembles/lanes.ts';
import { curveProblem, scalarParameter } from '../../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

/** total = Σ x·w + c, w an array of two, c a scalar. */
function weighted(): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const w = b.parameter('w', arrayType('real', ['n']));
  const c = b.parameter('c', arrayType('real'));
  const [sum] = b.reduce(builtinOperator('add'), [b.apply('mul', x, w)], 0);
  return b.finish({ total: b.apply('add', sum!, c) });
}
const model = {
  program: weighted(),
  parameters: [
    { name: 'w', initial: [1, 1], fixed: false },
    { name: 'c', initial: [100], fixed: true },
  ],
  data: new Map([['x', [3, 5]]]),
  sizes: { n: 2, members: 7 },
};

describe('an ensemble', () => {
  it.each([cpuDevice(), referenceDevice()])(
    'gives each member its own, in chunks of any size, on $kind',
    async (on) => {
      const points = Float64Array.from({ length: 2 * 37 }, (_, i) => Math.sin(i));
      for (const mostMembers of [1, 5, 64]) {
        const ensemble = await createEnsemble(on, model, { mostMembers });
        expect(ensemble.width).toBe(2);
        const { values, faults } = await ensemble.evaluate(points);
        const wanted = Array.from({ length: 37 }, (_, m) => 3 * Math.sin(2 * m) + 5 * Math.sin(2 * m + 1) + 100);
        [...values.get('total')!].forEach((value, m) => expect(value).toBeCloseTo(wanted[m]!, 12));
        expect(faults).toEqual([]);
        ensemble.release();
      }
    },
  );

  it('gives gradients, member by member', async () => {
    const ensemble = await createEnsemble(device, { ...model, program: withGradient(model.program, 'total', ['w']) });
    const { values } = await ensemble.evaluate(new Float64Array(6));
    expect([...values.get(gradientName('w'))!]).toEqual([3, 5, 3, 5, 3, 5]);
    ensemble.release();
  });

  it('finds the members in which a kernel meets a fault; the others are untouched', async () => {
    const b = new ProgramBuilder();
    const table = b.parameter('table', arrayType('real', ['n']));
    const p = b.parameter('p', arrayType('real'));
    const key = b.elementwise([p], (s, value) => s.apply('int', value), []);
    const found = b.gather(table, b.reshape(key, [1]), 'fault');
    const ensemble = await createEnsemble(device, {
      program: b.finish({ found: b.reshape(found, []) }),
      parameters: [{ name: 'p', initial: [0], fixed: false }],
      data: new Map([['table', [10, 20, 30]]]),
      sizes: { n: 3 },
    });
    const { values, faults } = await ensemble.evaluate(Float64Array.of(0, 1, 7, 2, 9));
    expect([...values.get('found')!]).toEqual([10, 20, NaN, 30, NaN]);
    expect(faults.map(({ member }) => member)).toEqual([2, 4]);
    ensemble.release();
  });

  it('stops when it is told to', async () => {
    const ensemble = await createEnsemble(device, model);
    await expect(ensemble.evaluate(new Float64Array(2), Int32Array.of(1))).rejects.toThrow(Cancelled);
    ensemble.release();
  });
});

describe('lanes', () => {
  it('ask together, and those that have ended ask no more', async () => {
    const batches: number[] = [];
    const results = await inLanes(
      [1, 3, 2],
      (questions: readonly number[]) => {
        batches.push(questions.length);
        return Promise.resolve(questions.map((q) => q * q));
      },
      async (count, ask) => {
        let sum = 0;
        for (let k = 1; k <= count; k++) sum += await ask(k);
        return sum;
      },
    );
    expect(results).toEqual([1, 14, 5]);
    expect(batches).toEqual([3, 2, 1]);
  });

  it('run no more at once than is said, and throw what a lane throws', async () => {
    const batches: number[] = [];
    const answer = (questions: readonly number[]): Promise<readonly number[]> => {
      batches.push(questions.length);
      return Promise.resolve(questions);
    };
    await inLanes([1, 2, 3, 4, 5], answer, (task, ask) => ask(task), { most: 2 });
    expect(Math.max(...batches)).toBe(2);
    const failing = inLanes([1], answer, () => Promise.reject(new Error('lost')));
    await expect(failing).rejects.toThrow('lost');
  });

  it('begin no more once the user has stopped, however many wait', async () => {
    const cancel = new Int32Array(1);
    let [begun, drawn] = [0, 0];
    const tasks = (function* () {
      for (; drawn < 1e6; drawn++) yield drawn;
    })();
    const answer = (questions: readonly number[]): Promise<readonly number[]> => {
      cancel[0] = 1;
      return Promise.resolve(questions);
    };
    const results = await inLanes(
      tasks,
      answer,
      (task, ask) => {
        begun++;
        return ask(task);
      },
      { most: 3, cancel },
    );
    expect(results).toEqual([0, 1, 2]);
    expect(begun).toBe(3);
    expect(drawn).toBeLessThan(4);
  });

  it('that yield their questions advance together too, and end where no answer comes', async () => {
    function* squares(count: number): Asking<number, number, number> {
      let sum = 0;
      for (let k = 1; k <= count; k++) sum += yield k;
      return sum;
    }
    const batches: number[] = [];
    const answer = (questions: readonly number[]): Promise<number[]> => {
      batches.push(questions.length);
      return Promise.resolve(questions.map((q) => q * q));
    };
    const ended = async (
      tasks: Iterable<number>,
      steps: Partial<Parameters<typeof inStep<number, number, number, number>>[2]>,
      most?: number,
      reply = answer,
    ) => {
      const results: number[] = [];
      await inStep(
        tasks,
        reply,
        { begin: squares, onEnd: (result, index) => (results[index] = result), ...steps },
        most,
      );
      return results;
    };
    expect(await ended([1, 3, 0, 2], {})).toEqual([1, 14, 0, 5]);
    expect(batches).toEqual([3, 2, 1]);
    expect(await ended([1, 3, 2], {}, 2)).toEqual([1, 14, 5]);
    expect(batches.slice(3)).toEqual([2, 2, 2]);

    let begun = 0;
    const lost = (): Promise<number[]> => Promise.reject(new Error('lost'));
    const begin = (count: number) => {
      begun++;
      return squares(count);
    };
    const stopped = (count: number): number => -count;
    expect(await ended([1, 2, 3, 4, 5], { begin, stopped }, 2, lost)).toEqual([-1, -2]);
    expect(begun).toBe(2);
    await expect(ended([1], {}, 2, lost)).rejects.toThrow('lost');
  });

  it('fit many starts as one batch to the same minimum', async () => {
    const x = [0.5, 1, 2, 4, 8];
    const problem = curveProblem({
      formula: 'A*exp(-k*x)',
      x,
      y: x.map((t) => 4 * Math.exp(-0.3 * t)),
      parameters: [scalarParameter('A', 1), scalarParameter('k', 1, { scale: 'log', lower: [0] })],
    });
    const all = coordinates(problem.parameters);
    const lines = await batchedLinearisation(problem, device, all);
    const starts = Array.from({ length: 16 }, (_, i) => Float64Array.of(1 + i, Math.log(0.1 + i / 20)));
    const endings = await inLanes(starts, lines.at, (start, ask) =>
      levenbergMarquardt(ask, all, start, { maxIterations: 200 }),
    );
    for (const { status, point } of endings) {
      expect(status).toBe('converged');
      expect(point[0]).toBeCloseTo(4, 6);
      expect(Math.exp(point[1]!)).toBeCloseTo(0.3, 6);
    }
    lines.release();
  });
});

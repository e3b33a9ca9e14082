/** The best point of a running fit on disk, and fits that begin where others were. */
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { checkpointsIn, readStart } from '../../../../src-main/cli/fit/checkpoint.ts';
import { fitTarget } from '../../../../src-main/cli/fit/fit-out.ts';
import { constant, documentOf, folderWith, map, parameter, written } from '../../../support/command-line.ts';
import { runProcess } from '../../../support/process.ts';

const progress = { meaning: 'm', iteration: 3, objective: 0.5, parameters: { k: [2], K: [1, Infinity, 3] } };

describe('a checkpoint', () => {
  it('beside the document that will be written follows no link, and takes the place of nothing else', async () => {
    const folder = folderWith({ 'precious.json': 'p' });
    const [precious, beside] = [join(folder, 'precious.json'), join(folder, 'fitted.fit.json')];
    const out = join(folder, 'fitted.cot.json');
    symlinkSync(precious, beside);
    const { checkpoints: place } = await fitTarget(out, join(folder, 'm.cot.json'), {});
    const checkpoints = checkpointsIn(place, 0);
    checkpoints.take(progress);
    await checkpoints.settled();
    expect([readFileSync(precious, 'utf8'), lstatSync(beside).isFile()]).toEqual(['p', true]);
    await expect(fitTarget(out, join(folder, 'm.cot.json'), {})).resolves.toHaveProperty('checkpoints.path', beside);
    writeFileSync(beside, '{"mine": 1}');
    await expect(fitTarget(out, join(folder, 'm.cot.json'), {})).rejects.toThrow('something else has its name');
  });

  it('holds what a fit can begin from', async () => {
    const path = join(folderWith({}), 'fit.json');
    const checkpoints = checkpointsIn({ path, chosen: true }, 0);
    checkpoints.take(progress);
    await checkpoints.settled();
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      status: 'running',
      reason: 'the best point so far',
      minimised: 0.5,
      parameters: { k: { value: 2 }, K: { value: [1, 'Infinity', 3] } },
      iterations: 3,
      meaning: 'm',
    });
    expect(await readStart(path)).toEqual({ values: progress.parameters, meaning: 'm' });
  });

  it('is written no more often than it is asked for, and never fails a fit', async () => {
    const folder = folderWith({});
    const rare = checkpointsIn({ path: join(folder, 'rare.json') });
    rare.take(progress);
    await rare.settled();
    expect(() => readFileSync(join(folder, 'rare.json'))).toThrow();
    const nowhere = checkpointsIn({ path: join(folder, 'no', 'such', 'fit.json') }, 0);
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    for (let i = 0; i < 2; i++) {
      nowhere.take(progress);
      await expect(nowhere.settled()).resolves.toBeUndefined();
    }
    expect(said.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^cotangent: warning: a checkpoint is missing: [^\n]+fit\.json cannot be written, [^\n]+\.\n$/,
        ),
      ],
    ]);
    said.mockRestore();
  });
});

describe('fit --from', () => {
  const blocks = [
    ...[constant('x', [0, 1, 2, 3, 4]), constant('y', [1, 0.7, 0.52, 0.34, 0.26])],
    ...[parameter('A', 5), parameter('k', 2), parameter('c', 0, { fixed: true }), map('m', 'A*exp(-k*x) + c')],
    { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
  ];
  const path = written(documentOf(blocks, { objective: 'l' }));
  const fitted = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await runProcess(['fit', path, ...args, '--json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout) as { iterations: number; parameters: Record<string, { value: number }> };
  };

  it('begins at the end of another, and leaves what is fixed', async () => {
    const out = join(folderWith({}), 'r.json');
    const whole = await fitted('--out', out);
    const result = JSON.parse(readFileSync(out, 'utf8')) as typeof whole;
    (result.parameters['c'] as { value: number }).value = 17;
    writeFileSync(out, JSON.stringify(result));
    const again = await fitted('--from', out);
    expect(again.iterations).toBeLessThan(whole.iterations);
    expect(again.parameters['c']?.value).toBe(0);
    expect(again.parameters['k']?.value).toBeCloseTo(whole.parameters['k']!.value, 10);
  });

  it('says when the values are those of another model', async () => {
    const out = join(folderWith({}), 'r.json');
    await fitted('--out', out);
    const { status, stderr } = await runProcess(['fit', path, '--from', out, '--set', 'c=1', '--json']);
    expect(status).toBe(0);
    expect(stderr).toContain('is of a model that means something else');
  });

  it('refuses what is no result, or another model’s', async () => {
    const folder = folderWith({
      'none.json': '[]',
      'text.json': '{"parameters": {"k": {"value": "three"}}}',
      'other.json': '{"parameters": {"q": {"value": 1}}}',
      'shape.json': '{"parameters": {"k": {"value": [1, 2]}}}',
    });
    for (const [name, message] of [
      ['missing', 'cannot be read'],
      ['none', 'no result of a fit'],
      ['text', 'the value of "k" is no number'],
      ['other', 'a parameter "q"'],
      ['shape', '"k" takes 1 values, got 2'],
    ] as const) {
      const { status, stdout, stderr } = await runProcess(['fit', path, '--from', join(folder, `${name}.json`)]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toContain(message);
    }
  });
});

/** A gradient for which the machine has too little room, unless recurrences keep checkpoints in place of every step. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { createSweep } from '../../../../src-main/compute/derivatives/adjoints.ts';
import { reverse } from '../../../../src-main/compute/differentiate.ts';
import { fitModel } from '../../../../src-main/compute/fit/fit.ts';
import { Refused } from '../../../../src-main/refused.ts';
import { model, type PlainBlock } from '../../../support/documents.ts';

const roomy = cpuDevice({ threads: 1 });
/** One array of all steps takes 0.8 MB. */
const tight = cpuDevice({ threads: 1, machineBytes: () => 6.7e5 });
afterAll(() => [roomy, tight].forEach((device) => device.close()));

const pendulum: PlainBlock = {
  id: 'pendulum',
  kind: 'recurrence',
  state: {
    angle: { initial: 1, next: 'angle + 0.001 * speed' },
    speed: { initial: 0, next: 'speed - 0.001 * pull * sin(angle)' },
  },
  steps: 100_000,
  emit: 'final',
};
const swinging = () => model([{ id: 'pull', kind: 'parameter', initial: 9.81 }, pendulum]);
const of = 'pendulum.angle';

describe('a gradient for whose trajectory there is no room', () => {
  it('is taken with checkpoints, and is the same', async () => {
    const document = await swinging();
    const [wanted, found] = [await reverse(document, { of }, roomy), await reverse(document, { of }, tight)];
    expect(found.value).toEqual(wanted.value);
    const [adjoint, expected] = [found, wanted].map(({ adjoints }) => adjoints.get('pull')!.values[0]!);
    expect(adjoint).toBeCloseTo(expected!, 8);
  });

  it('is seen in the adjoint view', async () => {
    const sweep = await createSweep(await swinging(), tight, of);
    const { wires } = await sweep.at({});
    sweep.release();
    expect(wires.map(({ block, port }) => `${block}.${port}`)).toContain('pendulum.pull');
  });

  it('fits a likelihood', async () => {
    const document = await model(
      [
        ...[{ id: 'pull', kind: 'parameter', initial: 1.003 }, pendulum],
        { id: 'seen', kind: 'constant', value: 0.5 },
        { id: 'l', kind: 'likelihood', family: 'normal', observed: 'seen', mean: 'pendulum.angle', sigma: 0.01 },
      ],
      { objective: 'l' },
    );
    const request = { parameters: {}, method: 'l-bfgs-b' };
    const [wanted, found] = [await fitModel(document, roomy, request), await fitModel(document, tight, request)];
    expect(wanted.status).toBe('converged');
    expect(found.estimates[0]?.value).toBeCloseTo(wanted.estimates[0]!.value, 7);
    expect(found.estimates[0]?.standardError).toBeCloseTo(wanted.estimates[0]!.standardError, 7);
  });

  it('is refused where the user wants the trajectory kept', async () => {
    const rules = new Map([['pendulum', 'recurrence']]);
    const refusal: unknown = await reverse(await swinging(), { of, rules }, tight).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect((refusal as Refused).message).toMatch(/^needs .* and the device has/);
  });
});

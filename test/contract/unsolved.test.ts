/** No command gives a figure of a differential equation whose solution is none: each ends with status 3 and says which block. */
import { expect, it } from 'vitest';
import { cotangent, documentOf, parameter, written } from '../support/command-line.ts';

/** dx/dt = −k·x by steps that are far too long for k: the solution grows without end. */
const stiff = (): string =>
  written(
    documentOf(
      [
        { id: 't', kind: 'constant', value: [0, 1, 2, 3, 4] },
        { id: 'y', kind: 'constant', value: [1, 0, 0, 0, 0] },
        parameter('k', 50, { lower: 40, upper: 60 }),
        {
          ...{ id: 'x', kind: 'ode', times: 't', method: 'rk4', substeps: 1 },
          state: { x: { initial: 1, rate: '-k * x' } },
        },
        { id: 'loss', kind: 'least-squares', prediction: 'x', observed: 'y' },
      ],
      { objective: 'loss' },
    ),
  );

it.each([
  'evaluate --output x',
  'differentiate --of loss',
  'differentiate --of loss --tangent {"k":1}',
  'hessian',
  'hessian --vector [1]',
  'sensitivity --method local',
  'sensitivity --method morris --samples 4',
  'export --to csv',
])('%s', async (line) => {
  const [command = '', ...options] = line.split(' ');
  const { status, stderr } = await cotangent(command, stiff(), ...options);
  expect(status, stderr).toBe(3);
  expect(stderr).toMatch(/the solution of "x" is not/);
});

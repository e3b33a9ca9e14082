/** How often a block is solved for its values and their error together. */
import { expect, it } from 'vitest';
import { lowerModel } from '../../../../models/lower/lower.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { constant, documentOf } from '../../../support/command-line.ts';
import { states } from './test-set.ts';

it.each([
  ['its values and within a tenth of the tolerance', [0, 1, 2], 2],
  ['until it is late, until earlier, and within a tenth of the tolerance', [1, 'Infinity'], 3],
])('is solved for %s', async (_, times, solutions) => {
  const ode = { id: 'x', kind: 'ode', times: 't', from: 0, state: states({ x: [2, '1 - x'] }) };
  const model = demandModel(await load(documentOf([constant('t', times), ode]), undefined));
  const { program } = lowerModel(model, { outputs: ['x'], solverErrors: true });
  expect(program.statements.filter(({ construct }) => construct.kind === 'recurrence')).toHaveLength(solutions);
});

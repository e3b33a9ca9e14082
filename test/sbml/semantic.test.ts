/**
 * Cases of the SBML Test Suite (test/sbml/cases), by import and simulation. All of a folder, as the suite comes:
 * `SBML_CASES=FOLDER npx vitest run test/sbml/semantic-long.test.ts`.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { readCase } from './cases.ts';
import { openDevice, outcomeOf } from './run.ts';

const folder = fileURLToPath(new URL('./cases', import.meta.url));
const device = openDevice();
afterAll(() => device.close());

it.each([
  ['00004', 'reactions'],
  ['00414', 'an event with a delay'],
  ['00521', 'stoichiometry by mathematics, initial assignments'],
  ['00692', 'a function, a rule, a species at the boundary'],
  ['00899', 'stoichiometry that time changes'],
  ['00993', 'an algebraic rule'],
  ['01180', 'a submodel whose time is converted, and its reaction named'],
  ['01260', 'rateOf in an event'],
  ['01402', 'conversion factors'],
  ['01471', 'submodels of another file: ports, deletions, replacements'],
  ['01512', 'a compartment that an event changes'],
  ['01679', 'an event that is not persistent, conversion factors'],
  ['01744', 'stoichiometry by a rule'],
  ['01779', 'a concentration and its compartment set at once'],
])('case %s is right: %s', async (name) => {
  expect(await outcomeOf(await readCase(folder, name), device)).toEqual({ kind: 'right', why: '' });
});

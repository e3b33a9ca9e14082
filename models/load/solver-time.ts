/** In the formulas of a solver `time` is its own: a parameter of that name is read by none of them, and nobody would see it. */
import { blockFormulas } from '../blocks/ode/named.ts';
import { freeNames } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import type { Graph } from '../graph/graph.ts';
import { warningProblem, type Problem } from '../notation/problem.ts';

export function solverTimeWarnings({ top }: Graph): Problem[] {
  // A column of times may well be called so.
  if (top.blocks.get('time')?.block.kind !== 'parameter') return [];
  return [...top.blocks.values()].flatMap(({ id, block }) => {
    if (block.kind !== 'ode') return [];
    const reads = blockFormulas(block).some(({ text }) => {
      const parsed = parseFormula(text);
      return parsed.ok && freeNames(parsed.formula).includes('time');
    });
    const message = `block "${id}": "time" in its formulas is the solver's own, and not the parameter "time": give that another name if it is meant`;
    return reads ? [warningProblem(message, { block: id })] : [];
  });
}

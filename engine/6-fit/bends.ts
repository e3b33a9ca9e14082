/**
 * Whether a program is written with what may have kinks in its free parameters. What compares data alone has none, nor what only asks
 * where the model has a value, as of a density whose sigma must be above 0: that is an edge.
 */
import type { ScalarOperation } from '../0-ir/scalar-operations.ts';
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../0-ir/scalar.ts';
import { varyingValues } from '../1-optimize/varying.ts';
import type { FitProblem } from './problem.ts';

const KINKED: ReadonlySet<ScalarOperation> = new Set(['abs', 'min', 'max', 'clamp'] as const);
const COMPARING: ReadonlySet<ScalarOperation> = new Set(['lt', 'le'] as const);

export function bends({ program, parameters }: Pick<FitProblem, 'program' | 'parameters'>): boolean {
  const free = new Set(parameters.flatMap(({ name, fixed }) => (fixed ? [] : [name])));
  const moved = program.parameters.flatMap(({ name, value }) => (free.has(name) ? [value.id] : []));
  const varying = varyingValues(program, new Set(moved));
  return program.statements.some(
    ({ construct }) =>
      construct.kind === 'map' &&
      functionBends(
        construct.function,
        construct.inputs.map(({ id }) => varying.has(id)),
      ),
  );
}

function functionBends({ parameters, body }: ScalarFunction, given: readonly boolean[]): boolean {
  /** Variables that a free parameter moves, and those of them that are a matter of which is larger. */
  const varying = new Set(parameters.flatMap(({ id }, i) => (given[i] ? [id] : [])));
  const choosing = new Set<number>();
  const isIn = (set: ReadonlySet<number>, operand: ScalarOperand): boolean =>
    operand.kind === 'variable' && set.has(operand.id);
  const within = ({ statements, results }: ScalarBlock): boolean =>
    statements.some((statement) => {
      if (statement.kind === 'if') {
        const { condition, then: met, else: unmet } = statement;
        if (isIn(choosing, condition) && ![met, unmet].some(hasNoValue)) return true;
        if (within(met) || within(unmet)) return true;
        const moves = (block: ScalarBlock, i: number): boolean => isIn(varying, block.results[i]!);
        statement.results.forEach(({ id }, i) => {
          if (isIn(varying, condition) || moves(met, i) || moves(unmet, i)) varying.add(id);
        });
        return false;
      }
      const { operation, operands, result } = statement;
      const moved = operands.filter((operand) => isIn(varying, operand));
      if (moved.length === 0) return false;
      varying.add(result.id);
      const isReal = moved.some(({ type }) => type === 'real');
      if (KINKED.has(operation) && isReal) return true;
      const chooses = (COMPARING.has(operation) && isReal) || operands.some((operand) => isIn(choosing, operand));
      if (chooses) choosing.add(result.id);
      return chooses && result.type !== 'bool';
    }) || results.some((result) => isIn(choosing, result));
  return within(body);
}

const hasNoValue = ({ results }: ScalarBlock): boolean =>
  results.every((result) => result.kind === 'literal' && !Number.isFinite(result.value));

/**
 * Programs without `solve`: each is written out as a recurrence over its steps, or as a map where it is linear, which every
 * backend knows. What is differentiated has been by then.
 */
import { mapNestedPrograms } from '../../0-ir/construct-parts.ts';
import type { Construct, Program, SolveConstruct } from '../../0-ir/program.ts';
import { rewriteForward, type Scope } from '../../1-optimize/rewrite.ts';
import { linearSolution } from './linear.ts';
import { newtonStart, newtonStep } from './newton.ts';

export function withoutSolves(program: Program): Program {
  const context = { keep: new Set<number>(), varying: new Set<number>() };
  return rewriteForward(program, context, ({ construct }, scope) => {
    if (construct.kind === 'loop' || construct.kind === 'call') {
      const inner = mapNestedPrograms(construct, withoutSolves);
      return inner === construct ? undefined : inner;
    }
    return construct.kind === 'solve' ? written(construct, scope) : undefined;
  });
}

function written(c: SolveConstruct, scope: Scope): Construct | ReturnType<Scope['emit']> {
  const d = c.initial.length;
  if (c.linear) return { kind: 'map', function: linearSolution(c.residual, d), shape: c.shape, inputs: c.given };
  const literal = (value: number, element: 'real' | 'int' = 'real') =>
    scope.emit({ kind: 'literal', element, value })[0]!;
  const carries = [literal(newtonStart.radius), literal(newtonStart.last), literal(newtonStart.end, 'int')];
  const zero = literal(0);
  const results = scope.emit({
    kind: 'recurrence',
    step: newtonStep(c.residual, d),
    shape: [c.iterations, ...c.shape],
    axis: 0,
    reverse: false,
    initial: [...c.initial, ...c.initial.map(() => zero), ...carries],
    inputs: [],
    invariants: c.given,
  });
  return [...results.slice(0, d), results[2 * d + 2]!];
}

/**
 * F(y, x) = 0  ⇒  F_y·ẏ + F_x·ẋ = 0: the implicit function theorem. ẏ is itself what a `solve` gives, of a residual that is
 * affine in it, so that derivatives of any order are.
 */
import { realLiteral } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { Value } from '../../0-ir/program.ts';
import type { JvpRule } from '../rule.ts';
import { jvpFunction } from '../scalar/jvp-function.ts';

// Operands: initial, given. Where a search begins changes nothing of what it finds.
export const solve: JvpRule<'solve'> = (b, construct, tangents) => {
  const { residual, initial, given, shape } = construct;
  const results = b.emit(construct);
  const moving = tangents.slice(initial.length);
  if (moving.every((tangent) => tangent === undefined)) return { results, tangents: results.map(() => undefined) };
  const unknowns = results.slice(0, initial.length);
  const pushed = jvpFunction(residual, [...initial.map(() => true), ...moving.map((tangent) => tangent !== undefined)]);
  const types = residual.parameters.map(({ type }) => type);
  const directions = moving.filter((tangent): tangent is Value => tangent !== undefined);
  const tangentOf = scalarFunction(
    [...unknowns, ...types, ...directions].map((part) => (typeof part === 'string' ? part : 'real')),
    (s, ...operands) => {
      const d = unknowns.length;
      const [ydot, y, rest] = [operands.slice(0, d), operands.slice(d, 2 * d), operands.slice(2 * d)];
      const x = rest.slice(0, given.length);
      const all = s.inline(pushed.function, [...y, ...x, ...ydot, ...rest.slice(given.length)]);
      let next = d;
      return pushed.active.map((moves) => (moves ? all[next++]! : realLiteral(0)));
    },
  );
  const found = b.emit({
    kind: 'solve',
    residual: tangentOf,
    shape,
    initial: unknowns.map(() => b.literal(0)),
    given: [...unknowns, ...given, ...directions],
    iterations: 1,
    linear: true,
  });
  return { results, tangents: [...found.slice(0, -1), undefined] };
};

/** Functions with guards, and their derivatives: what several `if`s on one condition give in common is computed once. */
import { expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import { realLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { simplifyFunction } from '../../../engine/1-optimize/scalar/simplify-function.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';

it('z·cos √(x² + y²), guarded at 0, takes one root, one sine and one cosine with its gradient', () => {
  const guarded = scalarFunction(['real', 'real', 'real'], (s, x, y, z) => {
    const square = s.apply('add', s.apply('mul', x, x), s.apply('mul', y, y));
    const none = s.apply('eq', square, realLiteral(0));
    const safe = s.either(
      none,
      () => realLiteral(1),
      () => square,
    );
    return [
      s.either(
        none,
        () => z,
        () => s.apply('mul', z, s.apply('cos', s.apply('sqrt', safe))),
      ),
    ];
  });
  const b = new ProgramBuilder();
  const names = ['x', 'y', 'z'];
  const [value] = b.map(
    guarded,
    names.map((name) => b.parameter(name, arrayType('real', ['n']))),
  );
  const program = b.finish([{ name: 'value', value: value! }]);
  const text = printProgram(optimize(vjp(program, { of: ['value'], by: names })));
  for (const operation of ['sqrt', 'sin', 'cos', 'if ']) expect(text.split(operation)).toHaveLength(2);
});

it('what an if gives twice it gives once, inside it and beside another', () => {
  const twice = scalarFunction(['bool', 'real'], (s, condition, x) => {
    const root = (): readonly [() => ReturnType<typeof s.apply>[], () => ReturnType<typeof s.apply>[]] => [
      () => [s.apply('sqrt', x), s.apply('sqrt', x)],
      () => [x, x],
    ];
    const [first, second] = s.branch(condition, ...root());
    const plain = (): ReturnType<typeof s.either> =>
      s.either(
        condition,
        () => realLiteral(1),
        () => x,
      );
    return [first!, second!, plain(), plain()];
  });
  const [a, b, c, d] = simplifyFunction(twice).body.results;
  expect(b).toEqual(a);
  expect(d).toEqual(c);
  expect(c).not.toEqual(a);
});

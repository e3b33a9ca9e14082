/** `hello`: x², and its derivative. */
import * as v from 'valibot';
import { arrayType, gradientName, type Program, ProgramBuilder, withGradient } from '../../../engine/index.ts';
import { evaluation, VALUE, valueOf } from './evaluation.ts';

function square(): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', []));
  return b.finish(valueOf(b.apply('mul', x, x)));
}

export const hello = evaluation({
  name: 'hello',
  input: v.number(),
  functions: {
    square: (x) => ({ program: square(), inputs: { x: [x] }, answer: (result) => result(VALUE)[0] }),
    double: (x) => ({
      program: withGradient(square(), VALUE, ['x']),
      inputs: { x: [x] },
      answer: (result) => result(gradientName('x'))[0],
    }),
  },
});

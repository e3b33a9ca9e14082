/** `lse`: log Σ exp(xᵢ), by its maximum, and its gradient. */
import * as v from 'valibot';
import { arrayType, gradientName, type Program, ProgramBuilder, withGradient } from '../../../engine/index.ts';
import { evaluation, logSumExp, VALUE, valueOf } from './evaluation.ts';

function program(length: number): Program {
  const b = new ProgramBuilder();
  return b.finish(valueOf(logSumExp(b, b.parameter('x', arrayType('real', [length])), 0)));
}

export const lse = evaluation({
  name: 'lse',
  input: v.object({ x: v.array(v.number()) }),
  functions: {
    primal: ({ x }) => ({ program: program(x.length), inputs: { x }, answer: (result) => result(VALUE)[0] }),
    gradient: ({ x }) => ({
      program: withGradient(program(x.length), VALUE, ['x']),
      inputs: { x },
      answer: (result) => [...result(gradientName('x'))],
    }),
  },
});

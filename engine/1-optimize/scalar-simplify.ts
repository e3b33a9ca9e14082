/** The scalar functions of all constructs, simplified. */
import type { Operator } from '../0-ir/operators.ts';
import type { Construct, Epilogue } from '../0-ir/program.ts';
import { rewriteForward, type Rewrite } from './rewrite.ts';
import { simplifyFunction } from './scalar/simplify-function.ts';

export const scalarSimplify: Rewrite = (program, context) =>
  rewriteForward(program, context, ({ construct }) => simplifyConstruct(construct));

function simplifyConstruct(c: Construct): Construct | undefined {
  switch (c.kind) {
    case 'map': {
      const simplified = simplifyFunction(c.function);
      return simplified === c.function ? undefined : { ...c, function: simplified };
    }
    case 'reduce':
    case 'scan':
    case 'segmented-scan':
    case 'histogram':
    case 'keyed-scan': {
      const operator = simplifyOperator(c.operator);
      const prologue = c.prologue && simplifyFunction(c.prologue);
      const epilogue = 'epilogue' in c ? simplifyEpilogue(c.epilogue) : undefined;
      if (operator === c.operator && prologue === c.prologue && !epilogue) return undefined;
      return { ...c, operator, ...(prologue && { prologue }), ...(epilogue && { epilogue }) };
    }
    case 'recurrence': {
      const step = simplifyFunction(c.step);
      return step === c.step ? undefined : { ...c, step };
    }
    case 'history': {
      const step = simplifyFunction(c.step);
      const asked = c.asked && simplifyFunction(c.asked);
      return step === c.step && asked === c.asked ? undefined : { ...c, step, ...(asked && { asked }) };
    }
    case 'solve': {
      const residual = simplifyFunction(c.residual);
      return residual === c.residual ? undefined : { ...c, residual };
    }
    default:
      return undefined;
  }
}

/** Undefined where there is nothing to do. */
function simplifyEpilogue(epilogue: Epilogue | undefined): Epilogue | undefined {
  const simplified = epilogue && simplifyFunction(epilogue.function);
  return simplified && simplified !== epilogue.function ? { ...epilogue, function: simplified } : undefined;
}

function simplifyOperator(operator: Operator): Operator {
  const combine = simplifyFunction(operator.combine);
  return combine === operator.combine ? operator : { ...operator, combine };
}

/** reduce ⊙ (prologue f) xs = reduce ⊙ (map f xs): prologues written out as maps, since differentiation wants plain constructs. */
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type { Construct, Program } from '../0-ir/program.ts';
import { rewriteForward, type Scope } from './rewrite.ts';

export function unfuse(program: Program): Program {
  const context = { keep: new Set<number>(), varying: new Set<number>() };
  return rewriteForward(program, context, ({ construct }, scope) => withoutPrologue(construct, scope));
}

function withoutPrologue(c: Construct, scope: Scope): Construct | undefined {
  switch (c.kind) {
    case 'reduce':
    case 'scan':
    case 'segmented-scan':
    case 'histogram': {
      const { prologue, ...plain } = c;
      if (!prologue) return undefined;
      return { ...plain, inputs: scope.emit({ kind: 'map', function: prologue, shape: c.shape, inputs: c.inputs }) };
    }
    case 'loop':
    case 'call':
      return mapNestedPrograms(c, unfuse);
    default:
      return undefined;
  }
}

/**
 * op(f ∘ xs)  ⇒  op(map(f, xs)): writes prologues out as maps again. Differentiation wants plain constructs; fusion comes
 * after it.
 */
import { inferTypes } from '../0-ir/infer.ts';
import type { Construct, MapConstruct, Program, Statement } from '../0-ir/program.ts';
import { firstFreeId } from '../0-ir/walk.ts';

export function unfuse(program: Program): Program {
  let next = firstFreeId(program);
  const statements = program.statements.flatMap((statement): Statement[] => {
    const { construct } = statement;
    if (!('prologue' in construct) || !construct.prologue) return [statement];
    const { prologue, ...plain } = construct;
    const map: MapConstruct = { kind: 'map', function: prologue, shape: construct.shape, inputs: construct.inputs };
    const elements = inferTypes(map).map((type) => ({ id: next++, type }));
    return [
      { ...statement, results: elements, construct: map },
      { ...statement, construct: { ...plain, inputs: elements } as Construct },
    ];
  });
  return { ...program, statements };
}

/**
 * Typed formulas to scalar code.
 *
 * A definition is computed once, at the start of the block in which it is certain to be needed: where the block uses it
 * outside every `if`, or in both branches of one. One that only some branches use is computed inside each of them, so
 * that neither its value nor its derivative is formed where those branches are not taken.
 */
import type { ScalarBuilder, ScalarOperand } from '../../engine/index.ts';
import { portKey } from './names.ts';
import { FormulaFault, type Span } from './syntax.ts';
import type { Typed, TypedFormula } from './typed.ts';

/** Definitions under nested branches can multiply: beyond this many nodes a formula is refused. */
const mostNodes = 50_000;

type Known = Map<number, ScalarOperand>;

/** `span` is the formula's, for the error that it is too large. */
export function emitFormula(
  builder: ScalarBuilder,
  { definitions, result }: TypedFormula,
  ports: ReadonlyMap<string, ScalarOperand>,
  span: Span,
): ScalarOperand {
  const needs = neededBy(definitions);
  let nodes = 0;

  const block = (typed: Typed, outer: Known): ScalarOperand => {
    const known = new Map(outer);
    for (const index of [...needs(typed)].sort((a, b) => a - b)) {
      const definition = definitions[index];
      if (definition && !known.has(index)) known.set(index, emit(definition, known));
    }
    return emit(typed, known);
  };

  const emit = (typed: Typed, known: Known): ScalarOperand => {
    if (++nodes > mostNodes) throw new FormulaFault('this formula grows too large: split it into several blocks', span);
    switch (typed.kind) {
      case 'literal':
        return typed;
      case 'port':
        return found(ports.get(portKey(typed.port)));
      case 'local':
        return found(known.get(typed.definition));
      case 'apply':
        return builder.apply(typed.operation, ...typed.operands.map((operand) => emit(operand, known)));
      case 'if': {
        const condition = emit(typed.condition, known);
        const then = () => [block(typed.then, known)];
        const otherwise = () => [block(typed.otherwise, known)];
        return found(builder.branch(condition, then, otherwise)[0]);
      }
    }
  };

  return block(result, new Map());
}

/** The definitions that are evaluated whenever an expression is. */
function neededBy(definitions: readonly Typed[]): (typed: Typed) => ReadonlySet<number> {
  const ofDefinition = new Map<number, ReadonlySet<number>>();
  const needs = (typed: Typed): ReadonlySet<number> => {
    switch (typed.kind) {
      case 'literal':
      case 'port':
        return new Set();
      case 'local': {
        const known = ofDefinition.get(typed.definition);
        if (known) return known;
        const all = new Set([typed.definition, ...needs(found(definitions[typed.definition]))]);
        ofDefinition.set(typed.definition, all);
        return all;
      }
      case 'apply':
        return new Set(typed.operands.flatMap((operand) => [...needs(operand)]));
      case 'if': {
        const otherwise = needs(typed.otherwise);
        return new Set([...needs(typed.condition), ...[...needs(typed.then)].filter((index) => otherwise.has(index))]);
      }
    }
  };
  return needs;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a formula uses what was not prepared for it');
  return value;
}

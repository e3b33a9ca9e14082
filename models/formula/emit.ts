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

/** Definitions under nested branches can multiply: beyond this many nodes for one that is written, or as many in all, a formula is refused. */
const mostCopies = 4;
const fewNodes = 50_000;

type Known = Map<number, ScalarOperand>;

/** `span` is the formula's, for the error that it is too large. */
export function emitFormula(
  builder: ScalarBuilder,
  { definitions, result }: TypedFormula,
  ports: ReadonlyMap<string, ScalarOperand>,
  span: Span,
): ScalarOperand {
  const needs = neededBy(definitions);
  const mostNodes = Math.max(fewNodes, mostCopies * (span.to - span.from));
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
        return chain(typed, known);
      case 'if': {
        const condition = emit(typed.condition, known);
        const then = () => [block(typed.then, known)];
        const otherwise = () => [block(typed.otherwise, known)];
        return found(builder.branch(condition, then, otherwise)[0]);
      }
    }
  };

  /** Each operation is the first operand of the next; in a loop, since they may be very many. */
  const chain = (typed: Typed & { kind: 'apply' }, known: Known): ScalarOperand => {
    const links = [typed];
    for (let [inner] = typed.operands; inner?.kind === 'apply'; [inner] = inner.operands) links.push(inner);
    nodes += links.length - 1;
    let value: ScalarOperand | undefined;
    for (const { operation, operands } of links.reverse()) {
      const [first, ...others] = operands;
      const left = value ?? emit(found(first), known);
      value = builder.apply(operation, left, ...others.map((operand) => emit(operand, known)));
    }
    return found(value);
  };

  return block(result, new Map());
}

/** The definitions that are evaluated whenever an expression is. */
function neededBy(definitions: readonly Typed[]): (typed: Typed) => ReadonlySet<number> {
  const ofDefinition = new Map<number, ReadonlySet<number>>();
  const needs = (typed: Typed): ReadonlySet<number> => {
    const all = new Set<number>();
    const pending = [typed];
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (next.kind === 'apply') pending.push(...next.operands);
      else if (next.kind === 'local') for (const index of ofLocal(next.definition)) all.add(index);
      else if (next.kind === 'if') {
        pending.push(next.condition);
        const otherwise = needs(next.otherwise);
        for (const index of needs(next.then)) if (otherwise.has(index)) all.add(index);
      }
    }
    return all;
  };
  const ofLocal = (index: number): ReadonlySet<number> => {
    const known = ofDefinition.get(index);
    if (known) return known;
    const all = new Set([index, ...needs(found(definitions[index]))]);
    ofDefinition.set(index, all);
    return all;
  };
  return needs;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a formula uses what was not prepared for it');
  return value;
}

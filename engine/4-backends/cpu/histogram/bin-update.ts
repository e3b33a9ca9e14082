/** A bin takes an element in: of its contents only what is read is loaded, and only what may change is written. */
import { componentTypes } from '../../../0-ir/operators.ts';
import type { ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import { readParameters } from '../../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import { advancing, elementOf, type Combining } from '../combine/combining.ts';
import type { Kernel } from '../kernel.ts';
import { likelyPart } from '../scalar/likely.ts';
import { constant } from '../representation.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { apply, type Expression } from '../wasm/expression.ts';

/** A bin's components, and a mark that it may have. */
export interface Bin {
  read(component: number): Expression;
  write(component: number, value: Expression): void;
  readonly mark: { readonly is: Expression; set(marked?: boolean): void } | null;
}

/** bin = bin ⊙ prologue(inputs). The inputs are constants or locals. */
export interface BinUpdate {
  /** What most elements need; `leave`, before anything is written, where one needs more. */
  usual(bin: Bin, inputs: readonly Expression[], leave: (when: Expression) => void): void;
  /** All that an element may need. */
  whole(bin: Bin, inputs: readonly Expression[]): void;
  /** Whether `usual` may leave. */
  readonly mayLeave: boolean;
  /** Components that `usual` touches. */
  readonly touched: readonly number[];
}

/** `asked`: a bin without its mark holds nothing, and becomes the element. */
export function binUpdate(k: Kernel, step: Combining, asked: boolean): BinUpdate {
  const types = componentTypes(step.operator);
  const all = advancing(step);
  const likely = likelyPart(all);
  const partOf = (fn: ScalarFunction) => {
    const changed = types.flatMap((_, i) => (isVariable(fn.body.results[i], fn.parameters[i]) ? [] : [i]));
    const last = fn.body.results.length > types.length ? [types.length] : [];
    const needed = selectResults(fn, [...changed, ...last]);
    return { changed, needed, isRead: readParameters(needed) };
  };
  const advance = (fn: ScalarFunction, bin: Bin, inputs: readonly Expression[]) => {
    const { changed, needed, isRead } = partOf(fn);
    const contents = types.map((type, i) => (isRead[i] ? bin.read(i) : constant(k.precision, { type, value: 0 })));
    const results = emitFunction(k, needed, [...contents, ...inputs]);
    const store = () => changed.forEach((i, at) => bin.write(i, results[at]!));
    return { isRight: results[changed.length], store };
  };
  const usually = partOf(likely ?? all);
  return {
    usual(bin, inputs, leave) {
      if (asked && bin.mark) leave(apply('i32.eqz', bin.mark.is));
      const { isRight, store } = advance(likely ?? all, bin, inputs);
      if (isRight) leave(apply('i32.eqz', isRight));
      store();
    },
    whole(bin, inputs) {
      const { mark } = bin;
      const join = () => advance(all, bin, inputs).store();
      if (!asked || !mark) return join();
      k.f.if(mark.is, join, () => {
        elementOf(k, step, inputs).forEach((value, i) => bin.write(i, value));
        mark.set();
      });
    },
    mayLeave: asked || likely !== undefined,
    touched: [...types.keys()].filter((i) => usually.isRead[i] || usually.changed.includes(i)),
  };
}

function isVariable(a: ScalarOperand | undefined, b: ScalarOperand | undefined): boolean {
  return a?.kind === 'variable' && b?.kind === 'variable' && a.id === b.id;
}

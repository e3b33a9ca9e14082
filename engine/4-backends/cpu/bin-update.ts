/** A bin takes an element in: of its contents only what is read is loaded, and only what may change is written. */
import { componentTypes } from '../../0-ir/operators.ts';
import type { ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../1-optimize/scalar/edit-function.ts';
import { advancing, elementOf, type Combining } from './combining.ts';
import type { Kernel } from './kernel.ts';
import { likelyPart } from './likely.ts';
import { constant } from './representation.ts';
import { emitFunction } from './scalar-function.ts';
import { apply, type Expression } from './wasm/expression.ts';

/** A bin's components, and whether it holds something; null where that need not be asked. */
export interface Bin {
  read(component: number): Expression;
  write(component: number, value: Expression): void;
  readonly filled: { readonly is: Expression; set(): void } | null;
}

/** bin = bin ⊙ prologue(inputs), or the element if the bin holds nothing. The inputs are constants or locals. */
export interface BinUpdate {
  /** What most elements need; `leave`, before anything is written, where one needs more. */
  usual(bin: Bin, inputs: readonly Expression[], leave: (when: Expression) => void): void;
  /** All that an element may need. */
  whole(bin: Bin, inputs: readonly Expression[]): void;
  /** Whether `usual` may leave. */
  readonly mayLeave: boolean;
}

/** `asked`: whether bins are asked if they hold something. */
export function binUpdate(k: Kernel, step: Combining, asked: boolean): BinUpdate {
  const types = componentTypes(step.operator);
  const all = advancing(step);
  const likely = likelyPart(all);
  const advance = (fn: ScalarFunction, bin: Bin, inputs: readonly Expression[]) => {
    const changed = types.flatMap((_, i) => (isVariable(fn.body.results[i], fn.parameters[i]) ? [] : [i]));
    const last = fn.body.results.length > types.length ? [types.length] : [];
    const needed = selectResults(fn, [...changed, ...last]);
    const isRead = readParameters(needed);
    const contents = types.map((type, i) => (isRead[i] ? bin.read(i) : constant(k.precision, { type, value: 0 })));
    const results = emitFunction(k, needed, [...contents, ...inputs]);
    const store = () => changed.forEach((i, at) => bin.write(i, results[at] as Expression));
    return { isRight: results[changed.length], store };
  };
  return {
    usual(bin, inputs, leave) {
      if (bin.filled) leave(apply('i32.eqz', bin.filled.is));
      const { isRight, store } = advance(likely ?? all, bin, inputs);
      if (isRight) leave(apply('i32.eqz', isRight));
      store();
    },
    whole(bin, inputs) {
      const { filled } = bin;
      const join = () => advance(all, bin, inputs).store();
      if (!filled) return join();
      k.f.if(filled.is, join, () => {
        elementOf(k, step, inputs).forEach((value, i) => bin.write(i, value));
        filled.set();
      });
    },
    mayLeave: asked || likely !== undefined,
  };
}

function isVariable(a: ScalarOperand | undefined, b: ScalarOperand | undefined): boolean {
  return a?.kind === 'variable' && b?.kind === 'variable' && a.id === b.id;
}

/**
 * Maps that are zero everywhere, or everywhere but at one place: f(i) = (i = k) ? v : 0, the adjoint of a minimum. What is
 * cleared in one piece of tens of megabytes is not read first, which takes a third of the time of a loop of stores, and
 * less than two threads that clear pieces.
 */
import type { ScalarFunction, ScalarOperand } from '../../../0-ir/scalar.ts';
import type { MapStep, Source } from '../../../3-plan/plan.ts';
import { accessCursor, read, sourceCursor, writeAt } from '../walk/access.ts';
import { forRows } from '../walk/items.ts';
import type { Kernel } from '../kernel.ts';
import { constant } from '../representation.ts';
import { add, apply, get, multiply } from '../wasm/expression.ts';

/** The inputs that say which place is not zero, and what stands there: the index, k, and v or a literal. */
interface Exception {
  readonly index: number;
  readonly at: number;
  readonly value: ScalarOperand;
}

/** Items that are cleared together: all. */
const ALL = 2 ** 31 - 1;

/** Writes such a map's kernel; false where it is none. */
export function emitMapOfZeros(k: Kernel, step: MapStep): boolean {
  const { function: fn, outputs, domain } = step;
  const [output] = outputs;
  const type = fn.body.results[0]?.type;
  if (!output || !type || outputs.length > 1 || output.strides[0] !== 1 || domain.length !== 1) return false;
  const exception = isZero(fn.body.results[0]) ? undefined : exceptionOf(fn);
  if (!isZero(fn.body.results[0]) && !exception) return false;
  const strideOf = (input: number) => step.inputs[input]?.strides.at(-1);
  const parameterOf = (operand: ScalarOperand) =>
    operand.kind === 'variable' ? fn.parameters.findIndex(({ id }) => id === operand.id) : undefined;
  const valueAt = exception && parameterOf(exception.value);
  if (exception) {
    const isIndex = step.inputs[exception.index]?.kind === 'index' && strideOf(exception.index) === 1;
    if (!isIndex || strideOf(exception.at) !== 0 || (valueAt !== undefined && strideOf(valueAt) !== 0)) return false;
  }

  const hasColumns = (source: Source): boolean =>
    source.kind === 'gathered' && source.table.strides.some((stride) => stride !== 0);
  if (step.inputs.some(hasColumns)) return false;

  const { f } = k;
  k.together = ALL;
  const inputs = step.inputs.map((source) => sourceCursor(k, source));
  const to = accessCursor(k, output, type);
  const cursors = [...inputs, to];
  forRows(k, domain, cursors, (row) => {
    const length = get(f.keep(apply('i32.sub', get(row.end), get(row.at))));
    f.clear(get(to.at), multiply(length, k.size(1, to.unit)));
    if (exception) {
      const [index, at] = [exception.index, exception.at].map((input) => read(k, inputs[input]!));
      const place = get(f.keep(apply('i32.sub', at!, index!)));
      f.if(apply('i32.lt_u', place, length), () => {
        const value =
          valueAt !== undefined
            ? read(k, inputs[valueAt]!)
            : constant(k.precision, exception.value as Extract<ScalarOperand, { kind: 'literal' }>);
        writeAt(k, type, add(get(to.at), multiply(place, k.size(1, to.unit))), value);
      });
    }
    for (const cursor of cursors)
      f.increase(cursor.at, apply('i32.mul', length, k.size(cursor.strides.at(-1) ?? 0, cursor.unit)));
    f.set(row.at, get(row.end));
  });
  return true;
}

function isZero(operand: ScalarOperand | undefined): boolean {
  return operand?.kind === 'literal' && Object.is(operand.value, 0);
}

/** i, k and v of (i = k) ? v : 0. */
function exceptionOf({ parameters, body }: ScalarFunction): Exception | undefined {
  const [test, choice, ...others] = body.statements;
  const [result] = body.results;
  if (test?.kind !== 'apply' || test.operation !== 'eq' || choice?.kind !== 'if' || others.length > 0) return undefined;
  const isResult = result?.kind === 'variable' && result.id === choice.results[0]?.id;
  const isTested = choice.condition.kind === 'variable' && choice.condition.id === test.result.id;
  const isPlain = choice.then.statements.length === 0 && isZero(choice.else.results[0]);
  const places = test.operands.map((operand) =>
    operand.kind === 'variable' ? parameters.findIndex(({ id }) => id === operand.id) : -1,
  );
  const [index, at] = places as [number, number];
  const value = choice.then.results[0];
  if (!isResult || !isTested || !isPlain || !value || index < 0 || at < 0) return undefined;
  return parameters[index]?.type === 'int' ? { index, at, value } : undefined;
}

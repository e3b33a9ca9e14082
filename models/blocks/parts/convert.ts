/** Where one element type is wanted and another is given. */
import { type ElementType, intLiteral, type ProgramBuilder, type Value } from '../../../engine/index.ts';
import type { InferContext, LowerContext, Output, Sizes } from '../kind.ts';
import { printOutput } from './sizes.ts';

/** An int where a real is wanted. */
export function asReal(builder: ProgramBuilder, value: Value): Value {
  return value.type.element === 'real' ? value : builder.apply('real', value);
}

export function asElement(builder: ProgramBuilder, value: Value, element: ElementType): Value {
  return element === 'real' ? asReal(builder, value) : value;
}

/** real where one of them is, int where all are, bool where all are; undefined where bools and numbers mix. */
export function commonElement(elements: readonly ElementType[]): ElementType | undefined {
  const bools = elements.filter((element) => element === 'bool').length;
  if (bools > 0) return bools === elements.length ? 'bool' : undefined;
  return elements.includes('real') ? 'real' : 'int';
}

/** A value as a number, which a bool is not. Reports, and returns undefined. */
export function wantNumber(context: InferContext, port: string, output: Output | undefined): Output | undefined {
  if (output?.element !== 'bool') return output;
  return context.fail(`"${port}" wants numbers, got ${printOutput(output)}`, {
    port,
    wanted: 'real or int',
    got: printOutput(output),
    fix: 'write real(x), which is 1 where x holds and 0 elsewhere',
  });
}

/** Whether a value goes where an int is wanted: an int, a column or constant of whole cells, a rounding formula. */
export function goesAsInt(output: Output): boolean {
  if (output.element === 'int' || output.whole === true) return true;
  return output.element === 'real' && output.data !== undefined && firstBroken(output.data) < 0;
}

const firstBroken = (data: Float64Array | Int32Array): number =>
  data.findIndex((x) => !Number.isNaN(x) && (x | 0) !== x);

/** A value that goes where an int is wanted. Reports, and returns undefined, where it does not. */
export function wantInt(context: InferContext, port: string): Output | undefined {
  const output = context.input(port);
  if (!output) return undefined;
  if (goesAsInt(output)) {
    if (output.element === 'real' && output.data) warnMissing(context, port, output.data);
    return output;
  }
  if (output.element === 'real' && output.data) {
    const row = firstBroken(output.data);
    const value = output.data[row];
    return context.fail(`"${port}" wants int, and element ${row} is ${value}`, {
      port,
      wanted: 'whole numbers of 32 bits',
      got: printOutput(output),
      fix: Number.isInteger(value) ? 'an int has 32 bits' : 'use floor(x) or round(x) in a map',
    });
  }
  return context.fail(`"${port}" wants int, got ${printOutput(output)}`, {
    port,
    wanted: 'int',
    got: printOutput(output),
    ...(output.element === 'real' && { fix: 'use floor(x) or round(x) in a map' }),
  });
}

function warnMissing(context: InferContext, port: string, data: ArrayLike<number>): void {
  let missing = 0;
  for (let i = 0; i < data.length; i++) missing += Number(Number.isNaN(data[i]));
  if (missing > 0)
    context.warn(`"${port}" has ${missing} missing values; they count as -1, out of every range`, { port });
}

/** A value that `wantInt` took, as ints; NaN becomes -1, which lies out of every range. */
export function asInt(context: LowerContext, port: string): Value {
  const value = context.input(port);
  if (value.type.element === 'int') return value;
  const { data, sizes } = context.output(port);
  if (data) return intSource(context, port, data, sizes);
  return context.builder.elementwise([value], (s, x) => {
    const [index] = s.branch(
      s.apply('isnan', x),
      () => [intLiteral(-1)],
      () => [s.apply('int', x)],
    );
    return index!;
  });
}

/** Ints get an input of their own: an f32 real holds whole numbers to 2^24 only. */
function intSource(context: LowerContext, port: string, data: ArrayLike<number>, sizes: Sizes): Value {
  const values = (): Int32Array => Int32Array.from(data, (x) => (Number.isNaN(x) ? -1 : x));
  return context.source(`${port} of ${context.id} as int`, 'int', sizes, values);
}

/** The interpreter of array programs: slow, obvious, in f64. What every backend and every rewrite is held against. */
import type { Construct, ConstructKind, ConstructOf, Program, Value } from '../../0-ir/program.ts';
import { sizeValue, type SizeBinding } from '../../0-ir/sizes.ts';
import { IrError, printType } from '../../0-ir/types.ts';
import { interpretCall } from './call.ts';
import { interpretConcatenate } from './concatenate.ts';
import type { Context } from './context.ts';
import { interpretGather } from './gather.ts';
import { interpretHistory } from './history.ts';
import { interpretHistogram } from './histogram.ts';
import { elementCount, tabulate, type HostValue } from './host-value.ts';
import { interpretIota } from './iota.ts';
import { interpretKeyedScan } from './keyed-scan.ts';
import { interpretLiteral } from './literal.ts';
import { interpretLoop } from './loop.ts';
import { interpretMap } from './map.ts';
import { interpretMatmul } from './matmul.ts';
import { interpretRecurrence } from './recurrence.ts';
import { interpretReduce } from './reduce.ts';
import { interpretReplicate } from './replicate.ts';
import { interpretReshape } from './reshape.ts';
import { interpretReverse } from './reverse.ts';
import { interpretScan } from './scan.ts';
import { interpretScatter } from './scatter.ts';
import { interpretSegmentedScan } from './segmented-scan.ts';
import { interpretSlice } from './slice.ts';
import { interpretSortPermutation } from './sort-permutation.ts';
import { interpretSolve } from './solve.ts';
import { interpretTranspose } from './transpose.ts';

const interpreters: { [K in ConstructKind]: (construct: ConstructOf<K>, context: Context) => HostValue[] } = {
  literal: interpretLiteral,
  map: interpretMap,
  reduce: interpretReduce,
  scan: interpretScan,
  'segmented-scan': interpretSegmentedScan,
  histogram: interpretHistogram,
  'keyed-scan': interpretKeyedScan,
  recurrence: interpretRecurrence,
  history: interpretHistory,
  solve: interpretSolve,
  loop: interpretLoop,
  gather: interpretGather,
  scatter: interpretScatter,
  'sort-permutation': interpretSortPermutation,
  iota: interpretIota,
  replicate: interpretReplicate,
  reverse: interpretReverse,
  transpose: interpretTranspose,
  reshape: interpretReshape,
  slice: interpretSlice,
  concatenate: interpretConcatenate,
  matmul: interpretMatmul,
  call: interpretCall,
};

/**
 * A program's results by name. `inputs` hold each parameter's elements in row-major order. Throws `Fault` where a
 * gather or scatter must; `beforeStatement` may throw to stop the program.
 */
export function interpret(
  program: Program,
  inputs: ReadonlyMap<string, ArrayLike<number>>,
  sizes: SizeBinding,
  beforeStatement: () => void = () => {},
): Map<string, HostValue> {
  const args = program.parameters.map(({ name, value }) => {
    const given = inputs.get(name);
    if (!given) throw new IrError(`the input ${name} is missing`);
    const shape = value.type.shape.map((size) => sizeValue(size, sizes));
    if (given.length !== elementCount(shape))
      throw new IrError(
        `the input ${name} is ${printType(value.type)}, ${elementCount(shape)} elements, and got ${given.length}`,
      );
    return tabulate(value.type.element, shape, (position) => given[position]!);
  });
  const results = run(program, args, sizes, beforeStatement, undefined);
  return new Map(program.results.map(({ name }, i) => [name, results[i]!]));
}

function run(
  program: Program,
  args: readonly HostValue[],
  sizes: SizeBinding,
  beforeStatement: () => void,
  callerOrigin: string | undefined,
): HostValue[] {
  const known = new Map<number, HostValue>();
  program.parameters.forEach(({ value }, i) => known.set(value.id, args[i]!));
  const valueOf = (value: Value): HostValue => {
    const found = known.get(value.id);
    if (!found) throw new IrError(`value ${value.id} is used before it is defined`);
    return found;
  };
  for (const { construct, results, origin = callerOrigin } of program.statements) {
    beforeStatement();
    const context: Context = {
      value: valueOf,
      size: (size) => sizeValue(size, sizes),
      run: (nested, nestedArgs) => run(nested, nestedArgs, sizes, beforeStatement, origin),
      origin,
    };
    const values = interpretConstruct(construct, context);
    results.forEach((result, i) => known.set(result.id, values[i]!));
  }
  return program.results.map(({ value }) => valueOf(value));
}

function interpretConstruct(construct: Construct, context: Context): HostValue[] {
  return (interpreters[construct.kind] as (construct: Construct, context: Context) => HostValue[])(construct, context);
}

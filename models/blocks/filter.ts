/** The rows for which a condition on data holds: valuesᵢ, for each i with where(i), in their order. */
import * as v from 'valibot';
import type { ElementType, Value } from '../../engine/index.ts';
import { common, formula, named, ref, refs, strict } from '../notation/fields.ts';
import { rowsOf } from './parts/axis.ts';
import { checkInputNames, compile, formulaWires, portValues, type CompiledFormulas } from './parts/formulas.ts';
import { blockKind, type AxisSize, type InferContext, type LowerContext, type Output } from './kind.ts';
import { listPorts, listWires } from './parts/lists.ts';
import { disagreement } from './parts/disagreement.ts';
import { broadcastSizes, elementCount, printOutput, replaceAxis } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('filter'),
  ...common,
  values: refs,
  where: formula,
  inputs: v.exactOptional(named(ref, 'references by port')),
});

export type FilterBlock = v.InferOutput<typeof schema>;

export interface FilterDetail extends Kept {
  readonly length: AxisSize;
}

interface Kept {
  /** The rows where the condition is true, ascending. */
  readonly kept: Int32Array;
  /** Whether it holds, row by row. */
  readonly condition: (context: LowerContext) => Value;
}

export const filter = blockKind<FilterBlock, FilterDetail>({
  kind: 'filter',
  schema,
  wires: (block) => [...listWires('values', block.values), ...formulaWires([['', block.where]], block.inputs)],

  infer(block, context) {
    const ports = listPorts('values', block.values);
    const values = context.inputs(ports);
    if (!values) return undefined;
    const scalar = values.findIndex((value) => value.sizes.length === 0);
    if (scalar >= 0)
      return context.fail(`"${ports[scalar]}" wants an array, got ${printOutput(values[scalar]!)}`, {
        port: ports[scalar]!,
        wanted: 'an array',
        got: 'a scalar',
      });
    const rows = broadcastSizes(values.map((value) => value.sizes.slice(0, 1)))?.[0];
    if (!rows || values.some((value) => value.sizes[0]?.value !== rows.value))
      return context.fail(...disagreement(ports, values));
    const found = keptRows(block, context, rows);
    if (!found) return undefined;
    const { kept } = found;
    // An axis of data, as a column's is: one row that is left does not broadcast.
    const length: AxisSize =
      kept.length === rows.value
        ? { ...rows, literal: false }
        : { value: kept.length, name: context.id, literal: false };
    const outputs = values.map((value, i): Output => {
      const data = value.data && rowsAt(value, kept);
      const name = values.length === 1 ? '' : `${i}`;
      return { ...rowsOf(value), name, sizes: replaceAxis(value.sizes, 0, length), ...(data && { data }) };
    });
    return { outputs, detail: { ...found, length } };
  },

  lower(block, { kept, length }, context) {
    const rows = context.source(`rows of ${context.id}`, 'int', [length], () => kept);
    return listPorts('values', block.values).map((port) => context.builder.gather(context.input(port), rows, 'fault'));
  },
});

function keptRows({ where, inputs }: FilterBlock, context: InferContext, rows: AxisSize): Kept | undefined {
  checkInputNames(context, [['', where]], inputs);
  const typeOf = (name: string): ElementType | undefined => context.input(name)?.element;
  const compiled = compile(context, [{ output: '', text: where }], typeOf);
  if (!compiled) return undefined;
  if (compiled.results[0] !== 'bool')
    return context.fail(`"where" wants a condition, and "${where}" is ${compiled.results[0]}`, {
      port: 'where',
      wanted: 'bool',
      got: String(compiled.results[0]),
      fix: `compare it with something: "${where} > 0"`,
    });
  const names = [...new Set(compiled.ports.flatMap((port) => (port.kind === 'index' ? [] : [port.name])))];
  if (!names.every((name) => goesAlong(context, name, rows))) return undefined;
  const condition = (lower: LowerContext): Value => conditionOf(lower, compiled, rows);
  const holds = context.compute(names, condition);
  return holds && { kept: Int32Array.from(Array.from(holds).flatMap((held, i) => (held ? [i] : []))), condition };
}

/** A condition decides how many rows there are, so it is settled before anything runs. */
function goesAlong(context: InferContext, name: string, rows: AxisSize): boolean {
  const input = context.input(name);
  if (!input) return false;
  const details = { port: name, got: printOutput(input) };
  if (input.computed)
    context.fail(`"where" is over data, and "${name}" depends on a parameter`, {
      ...details,
      fix: 'weigh the rows instead: a map that is 0 where they do not count',
    });
  else if (input.sizes.length > 1 || (input.sizes[0] && input.sizes[0].value !== rows.value))
    context.fail(`"where" wants one value a row, and "${name}" is ${printOutput(input)}`, {
      ...details,
      wanted: `[${rows.value}] or a scalar`,
    });
  else return true;
  return false;
}

function conditionOf(context: LowerContext, { ports, function: fn }: CompiledFormulas, rows: AxisSize): Value {
  const lengthOf = (name: string): AxisSize => context.output(name).sizes[0]!;
  const values = portValues(context, ports, [rows], (name) => context.input(name), lengthOf);
  return context.builder.map(fn, values, context.shape([rows]))[0]!;
}

/** The kept rows of values that are known. */
function rowsAt(value: Output, kept: Int32Array): Output['data'] {
  const { data, sizes } = value;
  if (!data) return undefined;
  const width = elementCount(sizes.slice(1));
  const rows = data instanceof Int32Array ? new Int32Array(kept.length * width) : new Float64Array(kept.length * width);
  kept.forEach((row, i) => rows.set(data.subarray(row * width, (row + 1) * width), i * width));
  return rows;
}

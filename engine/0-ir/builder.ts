/**
 * Builds array programs.
 *
 *     const b = new ProgramBuilder();
 *     const x = b.parameter('x', arrayType('real', ['n']));
 *     const total = b.reduce(builtinOperator('add'), [x], 0);
 *     const program = b.finish({ total });
 *
 * Types are inferred and checked at each step. The methods named after constructs take their usual arguments; `emit`
 * takes any construct.
 */
import { inferTypes } from './infer.ts';
import type { Operator } from './operators.ts';
import type { Construct, Named, Parameter, Program, Statement, Value } from './program.ts';
import type { ScalarFunction, ScalarOperand, ScalarVariable } from './scalar.ts';
import { scalarFunction, type ScalarBuilder } from './scalar-builder.ts';
import type { ScalarOperation } from './scalar-operations.ts';
import type { Size } from './sizes.ts';
import {
  broadcastShape,
  IrError,
  printType,
  sameShape,
  type ArrayType,
  type ElementType,
  type Shape,
} from './types.ts';

export class ProgramBuilder {
  private next: number;
  private readonly parameters: Parameter[] = [];
  private readonly written: Statement[] = [];
  /** Stamped on the statements that follow. */
  origin: string | undefined;

  /** Ids begin at `firstId`, above those of a program whose values are used here. */
  constructor(firstId = 0) {
    this.next = firstId;
  }

  value(type: ArrayType): Value {
    return { id: this.next++, type };
  }

  parameter(name: string, type: ArrayType, { missing }: Pick<Parameter, 'missing'> = {}): Value {
    const value = this.value(type);
    this.parameters.push({ name, value, ...(missing && { missing }) });
    return value;
  }

  /** What has been written so far. */
  get statements(): readonly Statement[] {
    return this.written;
  }

  /** Any construct; its results. */
  emit(construct: Construct): Value[] {
    const results = inferTypes(construct).map((type) => this.value(type));
    this.append({ results, construct, ...(this.origin !== undefined && { origin: this.origin }) });
    return results;
  }

  /** A statement whose values already have their ids. */
  append(statement: Statement): void {
    this.written.push(statement);
  }

  /** What a value of this program is made by; undefined of a parameter. */
  definition(value: Value): Construct | undefined {
    return this.written.find(({ results }) => results.some(({ id }) => id === value.id))?.construct;
  }

  private one(construct: Construct): Value {
    const [result, ...more] = this.emit(construct);
    if (!result || more.length > 0) throw new IrError(`${construct.kind} does not give one result`);
    return result;
  }

  literal(value: number, element: ElementType = 'real'): Value {
    return this.one({ kind: 'literal', element, value });
  }

  /** Elementwise, over the shape to which all inputs broadcast, or over `shape`. */
  map(fn: ScalarFunction, inputs: readonly Value[], shape?: Shape): Value[] {
    const domain = shape ?? broadcastShape(...inputs.map((input) => input.type.shape));
    if (!domain) throw new IrError(`map: ${inputs.map((v) => printType(v.type)).join(', ')} do not broadcast together`);
    return this.emit({ kind: 'map', function: fn, shape: domain, inputs });
  }

  /** A map written in place: `b.elementwise([x, y], (s, x, y) => s.apply('add', x, y))`. */
  elementwise(
    inputs: readonly Value[],
    write: (s: ScalarBuilder, ...x: ScalarVariable[]) => ScalarOperand,
    shape?: Shape,
  ): Value {
    const types = inputs.map((input) => input.type.element);
    const [result] = this.map(
      scalarFunction(types, (s, ...x) => [write(s, ...x)]),
      inputs,
      shape,
    );
    return result!;
  }

  /** One scalar operation, elementwise. */
  apply(operation: ScalarOperation, ...inputs: Value[]): Value {
    return this.elementwise(inputs, (s, ...x) => s.apply(operation, ...x));
  }

  private domain(inputs: readonly Value[]): Shape {
    const shape = broadcastShape(...inputs.map((input) => input.type.shape));
    if (!shape) throw new IrError(`${inputs.map((v) => printType(v.type)).join(', ')} do not broadcast together`);
    return shape;
  }

  reduce(operator: Operator, inputs: readonly Value[], axis: number): Value[] {
    return this.emit({ kind: 'reduce', operator, shape: this.domain(inputs), inputs, axis });
  }

  scan(
    operator: Operator,
    inputs: readonly Value[],
    axis: number,
    options: { exclusive?: boolean; reverse?: boolean } = {},
  ): Value[] {
    const { exclusive = false, reverse = false } = options;
    return this.emit({ kind: 'scan', operator, shape: this.domain(inputs), inputs, axis, exclusive, reverse });
  }

  segmentedScan(
    operator: Operator,
    flags: Value,
    inputs: readonly Value[],
    axis: number,
    options: { exclusive?: boolean; reverse?: boolean } = {},
  ): Value[] {
    const { exclusive = false, reverse = false } = options;
    return this.emit({
      kind: 'segmented-scan',
      operator,
      shape: this.domain(inputs),
      inputs,
      flags,
      axis,
      exclusive,
      reverse,
    });
  }

  histogram(
    operator: Operator,
    keys: Value,
    inputs: readonly Value[],
    bins: Size,
    options: { batch?: number; initial?: readonly Value[] } = {},
  ): Value[] {
    const { batch = 0, initial } = options;
    return this.emit({
      kind: 'histogram',
      operator,
      shape: this.domain(inputs),
      inputs,
      keys,
      bins,
      batch,
      ...(initial && { initial }),
    });
  }

  /** `running` over the domain, `totals` the contents of the bins at the end. */
  keyedScan(
    operator: Operator,
    keys: Value,
    inputs: readonly Value[],
    bins: Size,
    options: {
      batch?: number;
      shape?: Shape;
      exclusive?: boolean;
      reverse?: boolean;
      initial?: readonly Value[] | undefined;
    } = {},
  ): { running: Value[]; totals: Value[] } {
    const { batch = 0, shape = this.domain(inputs), exclusive = false, reverse = false, initial } = options;
    const results = this.emit({
      kind: 'keyed-scan',
      operator,
      shape,
      inputs,
      keys,
      bins,
      batch,
      exclusive,
      reverse,
      ...(initial && { initial }),
    });
    const d = results.length / 2;
    return { running: results.slice(0, d), totals: results.slice(d) };
  }

  gather(from: Value, indices: Value, outside: 'nan' | 'zero' | 'fault', batch = 0): Value {
    return this.one({ kind: 'gather', from, indices, outside, batch });
  }

  scatter(into: Value, indices: Value, values: Value, options: { batch?: number; checked?: boolean } = {}): Value {
    const { batch = 0, checked = false } = options;
    return this.one({ kind: 'scatter', into, indices, values, batch, checked });
  }

  sortPermutation(keys: Value, bound?: Size): Value {
    return this.one({ kind: 'sort-permutation', keys, ...(bound !== undefined && { bound }) });
  }

  iota(length: Size, facts: { readonly missing?: true } = {}): Value {
    return this.one({ kind: 'iota', length, ...facts });
  }

  /** The value itself where it has the shape already. */
  replicate(value: Value, shape: Shape): Value {
    return sameShape(value.type.shape, shape) ? value : this.one({ kind: 'replicate', value, shape });
  }

  reverse(value: Value, axis: number): Value {
    return this.one({ kind: 'reverse', value, axis });
  }

  transpose(value: Value, permutation: readonly number[]): Value {
    return permutation.every((axis, i) => axis === i) ? value : this.one({ kind: 'transpose', value, permutation });
  }

  reshape(value: Value, shape: Shape): Value {
    return sameShape(value.type.shape, shape) ? value : this.one({ kind: 'reshape', value, shape });
  }

  slice(value: Value, axis: number, start: Size, length: Size, step = 1): Value {
    return this.one({ kind: 'slice', value, axis, start, length, step });
  }

  concatenate(values: readonly Value[], axis: number): Value {
    return this.one({ kind: 'concatenate', values, axis });
  }

  matmul(left: Value, right: Value): Value {
    return this.one({ kind: 'matmul', left, right });
  }

  /** A value of zeros (false for bool). */
  zeros(type: ArrayType): Value {
    return this.replicate(this.literal(0, type.element), type.shape);
  }

  finish(results: Readonly<Record<string, Value>> | readonly Named[]): Program {
    const named = isNamedList(results) ? results : Object.entries(results).map(([name, value]) => ({ name, value }));
    return { parameters: this.parameters, statements: this.written, results: named };
  }
}

function isNamedList(results: Readonly<Record<string, Value>> | readonly Named[]): results is readonly Named[] {
  return Array.isArray(results);
}

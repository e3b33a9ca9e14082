/**
 * Σᵢ f(aᵢ, bⱼ, [j = kᵢ]·wᵢ) = histogram + by k of f(aᵢ, b_{kᵢ}, wᵢ), where f is 0 wherever its last operand is: a sum over
 * all i for each j, of which each i adds to one j alone. So is the gradient of a sum of minima by what they are minima of (the
 * nearest of many centres): n elements in place of n·m.
 *
 * It may change bits: sums are rounded in another order, and where f would be 0·∞ for another j, nothing is added in place of NaN.
 */
import { componentOperator } from '../0-ir/component-operator.ts';
import { componentTypes, recognise, type Operator } from '../0-ir/operators.ts';
import type { ConstructOf, Value } from '../0-ir/program.ts';
import {
  parameterTypes,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarOperand,
  type ScalarStatement,
} from '../0-ir/scalar.ts';
import { identityFunction } from '../0-ir/scalar-builder.ts';
import type { Size } from '../0-ir/sizes.ts';
import type { Shape } from '../0-ir/types.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { bindParameters } from './scalar/edit-function.ts';

/** A sum over fewer is no slower in vectors than a table. */
const FEWEST = 8;

export const sumsOfChosen: Rewrite = (program, context) =>
  rewriteForward(program, context, ({ construct: c }, scope) => {
    if (c.kind !== 'reduce' || !isSum(c.operator)) return undefined;
    const prologue = c.prologue ?? identityFunction(componentTypes(c.operator));
    for (const [at, input] of c.inputs.entries()) {
      const chosen = chosenBy(aligned(input, c.shape), scope);
      if (!chosen || !vanishesWith(prologue, at)) continue;
      const replaced = histogramOf(c, prologue, at, chosen, scope);
      if (replaced) return replaced;
    }
    return undefined;
  });

function isSum(operator: Operator): boolean {
  const alone = (i: number) => componentOperator(operator, i);
  return componentTypes(operator).every((type, i) => {
    const component = alone(i);
    return type === 'real' && component !== undefined && recognise(component) === 'add';
  });
}

/** A value with an axis for each of the domain's, those that it does not know of size 1. */
interface Aligned {
  readonly value: Value;
  readonly shape: Shape;
}

function aligned(value: Value, domain: Shape): Aligned {
  const { shape } = value.type;
  return { value, shape: [...Array<Size>(domain.length - shape.length).fill(1), ...shape] };
}

/** w where the index along the axis is the key, 0 elsewhere; all over the domain. */
interface Chosen {
  readonly axis: number;
  readonly key: Aligned;
  readonly weight: Aligned | (ScalarOperand & { readonly kind: 'literal' });
}

function chosenBy(of: Aligned, scope: Scope): Chosen | undefined {
  const { value, shape } = behindReshapes(of, scope);
  const definition = scope.definition(value)?.construct;
  if (definition?.kind !== 'map') return undefined;
  const choice = choiceIn(definition.function);
  if (!choice) return undefined;
  const inputAt = (operand: ScalarOperand): Aligned | undefined => {
    const at = definition.function.parameters.findIndex((p) => operand.kind === 'variable' && p.id === operand.id);
    const input = definition.inputs[at];
    return input && placed(aligned(input, definition.shape), definition.shape, shape);
  };
  const sides = choice.equal.map(inputAt);
  const weight = choice.weight.kind === 'literal' ? choice.weight : inputAt(choice.weight);
  const axis = sides.map((side) => side && indexAxis(side, scope));
  const found = axis.findIndex((each) => each !== undefined);
  const key = sides[1 - found];
  if (found < 0 || !key || !weight) return undefined;
  const at = axis[found]!;
  if (key.shape[at] !== 1 || ('shape' in weight && weight.shape[at] !== 1)) return undefined;
  return { axis: at, key, weight };
}

/** `if p = q then w else 0`, all there is to a function. */
function choiceIn({ body }: ScalarFunction) {
  const [test, branch, ...others] = body.statements;
  const [result] = body.results;
  if (test?.kind !== 'apply' || test.operation !== 'eq' || branch?.kind !== 'if' || others.length > 0) return undefined;
  const [weight] = branch.then.results;
  const [nothing] = branch.else.results;
  const isWhole =
    body.results.length === 1 &&
    is(result, branch.results[0]?.id) &&
    is(branch.condition, test.result.id) &&
    branch.then.statements.length + branch.else.statements.length === 0;
  if (!isWhole || !weight || nothing?.kind !== 'literal' || nothing.value !== 0) return undefined;
  return { equal: test.operands, weight };
}

function is(operand: ScalarOperand | undefined, id: number | undefined): boolean {
  return operand?.kind === 'variable' && operand.id === id;
}

/** The same numbers before reshapes that do nothing but put in axes of size 1 or take them out. */
function behindReshapes({ value, shape }: Aligned, scope: Scope): Aligned {
  const definition = scope.definition(value)?.construct;
  if (definition?.kind !== 'reshape') return { value, shape };
  const long = (of: Shape) => of.filter((size) => size !== 1).join();
  return long(definition.value.type.shape) === long(shape)
    ? behindReshapes({ value: definition.value, shape }, scope)
    : { value, shape };
}

/** What is over a map's domain, over that in which its axes longer than 1 stand where `to` has such, in their order. */
function placed({ value, shape }: Aligned, from: Shape, to: Shape): Aligned | undefined {
  const long = (of: Shape) => of.flatMap((size, axis) => (size === 1 ? [] : [axis]));
  const [sources, targets] = [long(from), long(to)];
  if (sources.length !== targets.length) return undefined;
  const result: Size[] = to.map(() => 1);
  sources.forEach((axis, i) => (result[targets[i]!] = shape[axis]!));
  return { value, shape: result };
}

/** The axis along which the value is 0, 1, 2, … */
function indexAxis(of: Aligned, scope: Scope): number | undefined {
  const { value, shape } = behindReshapes(of, scope);
  if (scope.definition(value)?.construct.kind !== 'iota') return undefined;
  const axis = shape.findIndex((size) => size !== 1);
  return axis < 0 ? undefined : axis;
}

/** Whether all results are 0 where a parameter is, whatever finite numbers the others are. */
function vanishesWith(fn: ScalarFunction, parameter: number): boolean {
  const zeros = new Set<number>();
  const first = fn.parameters[parameter];
  if (first) zeros.add(first.id);
  const isZero = (operand: ScalarOperand | undefined): boolean =>
    operand?.kind === 'literal' ? operand.value === 0 : operand !== undefined && zeros.has(operand.id);
  const visit = (block: ScalarBlock): void => {
    for (const statement of block.statements) for (const id of zerosOf(statement)) zeros.add(id);
  };
  const zerosOf = (statement: ScalarStatement): number[] => {
    if (statement.kind === 'if') {
      visit(statement.then);
      visit(statement.else);
      return statement.results.flatMap(({ id }, i) =>
        isZero(statement.then.results[i]) && isZero(statement.else.results[i]) ? [id] : [],
      );
    }
    const { operation, operands, result } = statement;
    const are = operands.map(isZero);
    const vanishes =
      operation === 'mul'
        ? are.includes(true)
        : operation === 'div'
          ? are[0] === true
          : (operation === 'add' || operation === 'sub' || operation === 'neg') && !are.includes(false);
    return vanishes && result.type === 'real' ? [result.id] : [];
  };
  visit(fn.body);
  return fn.body.results.every(isZero);
}

function histogramOf(
  c: ConstructOf<'reduce'>,
  prologue: ScalarFunction,
  at: number,
  { axis, key, weight }: Chosen,
  scope: Scope,
): ConstructOf<'histogram'> | undefined {
  const bins = c.shape[axis]!;
  const batch = Math.min(axis, c.axis);
  if (Math.abs(axis - c.axis) !== 1 || (typeof bins === 'number' && bins < FEWEST)) return undefined;
  const without = (shape: Shape) => shape.filter((_, i) => i !== axis);
  // A key for each place of the axis, and of none behind it.
  if (key.shape[c.axis] === 1 || key.shape.slice(batch + 2).some((size) => size !== 1)) return undefined;
  const reshaped = (value: Value, shape: Shape): Value => scope.emit({ kind: 'reshape', value, shape })[0]!;
  const keys = reshaped(key.value, without(key.shape).slice(0, batch + 1));
  const inputs: Value[] = [];
  for (const [i, input] of c.inputs.entries()) {
    if (i === at) continue;
    const { value, shape } = aligned(input, c.shape);
    if (shape[axis] === 1) inputs.push(reshaped(value, without(shape)));
    else if (shape[c.axis] !== 1) return undefined;
    else {
      const from = reshaped(
        value,
        shape.filter((_, other) => other !== c.axis),
      );
      inputs.push(scope.emit({ kind: 'gather', batch, from, indices: keys, outside: 'zero' })[0]!);
    }
  }
  const types = parameterTypes(prologue);
  const others = types.filter((_, i) => i !== at);
  const isLiteral = 'kind' in weight;
  if (!isLiteral) inputs.push(reshaped(weight.value, without(weight.shape)));
  const given = isLiteral ? others : [...others, types[at] ?? 'real'];
  return {
    kind: 'histogram',
    operator: c.operator,
    prologue: bindParameters(prologue, given, (i, parameters) => {
      if (i !== at) return parameters[i < at ? i : i - 1]!;
      return isLiteral ? weight : parameters.at(-1)!;
    }),
    shape: without(c.shape),
    batch,
    bins,
    keys,
    inputs,
  };
}

/**
 * Components of an operator that are one constant at all elements, and stay it, are not scanned: [(a, c), …] by
 * (a, c) ⊙ (a′, c) = (f(a, a′, c), c) is a scan of the a's. The derivative of a scan of pairs of which one is looked at
 * carries such a zero along.
 */
import { arity, componentTypes, withLaws } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Statement, Value } from '../0-ir/program.ts';
import { parameterTypes, type ScalarLiteral } from '../0-ir/scalar.ts';
import { underReplicates } from './inputs.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { bindParameters, restrictFunction, selectResults } from './scalar/edit-function.ts';
import { anything, certainValue, possibleResults } from './scalar/possible.ts';

type Combining = ConstructOf<'reduce' | 'scan' | 'segmented-scan' | 'histogram' | 'keyed-scan'>;

export const constantComponents: Rewrite = (program, context) =>
  rewriteForward(program, context, ({ construct: c, results }, scope) =>
    isCombining(c) && !c.operator.inverse && !c.operator.lift && !('epilogue' in c && c.epilogue)
      ? withoutConstants(c, results, scope)
      : undefined,
  );

function isCombining(c: Construct): c is Combining {
  switch (c.kind) {
    case 'reduce':
    case 'scan':
    case 'segmented-scan':
    case 'histogram':
    case 'keyed-scan':
      return true;
    default:
      return false;
  }
}

function withoutConstants(c: Combining, results: Statement['results'], scope: Scope): Value[] | undefined {
  const { operator } = c;
  const d = arity(operator);
  const constants = constantsOf(c, scope);
  const kept = constants.flatMap((constant, i) => (constant ? [] : [i]));
  if (kept.length === d) return undefined;
  const values = kept.length === 0 ? [] : scope.emit(narrowed(c, constants, kept));
  return results.map(({ type }, at) => {
    const constant = constants[at % d];
    if (!constant) return values[kept.indexOf(at % d) + (at < d ? 0 : kept.length)]!;
    const [literal] = scope.emit({ kind: 'literal', element: constant.type, value: constant.value });
    if (type.shape.length === 0) return literal!;
    return scope.emit({ kind: 'replicate', value: literal!, shape: type.shape })[0]!;
  });
}

/** For each component the literal that it is everywhere, in every result. */
function constantsOf(c: Combining, scope: Scope): (ScalarLiteral | undefined)[] {
  const { operator } = c;
  const types = componentTypes(operator);
  let constants = types.map((_, i): ScalarLiteral | undefined => {
    const literal = elementOf(c, i, scope);
    const isEmpty = literal && Object.is(literal.value, operator.neutral[i]);
    return isEmpty && beginsWith(c, i, literal, scope) ? literal : undefined;
  });
  while (constants.some((constant) => constant)) {
    const given = types.map((type, i) => (constants[i] ? { value: constants[i].value } : anything(type)));
    const after = possibleResults(operator.combine, [...given, ...given]);
    const still = constants.map((constant, i) => {
      const value = constant && certainValue(after[i]!, constant.type);
      return constant && Object.is(value, constant.value) ? constant : undefined;
    });
    if (still.every((constant, i) => constant === constants[i])) return constants;
    constants = still;
  }
  return constants;
}

/** What all elements have as component i. */
function elementOf(c: Combining, i: number, scope: Scope): ScalarLiteral | undefined {
  if (!c.prologue) return literalOf(c.inputs[i]!, scope);
  const result = c.prologue.body.results[i]!;
  return result.kind === 'literal' ? result : undefined;
}

/** Whether bins, where there are any, hold the constant before the first element. */
function beginsWith(c: Combining, i: number, constant: ScalarLiteral, scope: Scope): boolean {
  if (!('initial' in c) || !c.initial) return true;
  const initial = literalOf(c.initial[i]!, scope);
  return initial !== undefined && Object.is(initial.value, constant.value);
}

function literalOf(value: Value, scope: Scope): ScalarLiteral | undefined {
  const definition = scope.definition(underReplicates(value, scope))?.construct;
  return definition?.kind === 'literal'
    ? { kind: 'literal', type: definition.element, value: definition.value }
    : undefined;
}

function narrowed(c: Combining, constants: readonly (ScalarLiteral | undefined)[], kept: readonly number[]): Construct {
  const { operator } = c;
  const d = arity(operator);
  const combine = bindParameters(operator.combine, parameterTypes(operator.combine), (i, parameters) => {
    return constants[i % d] ?? parameters[i]!;
  });
  const narrow = withLaws(
    operator,
    restrictFunction(combine, [...kept, ...kept.map((i) => d + i)], kept),
    kept.map((i) => operator.neutral[i]!),
  );
  return {
    ...c,
    operator: narrow,
    ...(c.prologue ? { prologue: selectResults(c.prologue, kept) } : { inputs: kept.map((i) => c.inputs[i]!) }),
    ...('initial' in c && c.initial && { initial: kept.map((i) => c.initial![i]!) }),
  };
}

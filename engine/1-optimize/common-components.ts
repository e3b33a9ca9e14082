/**
 * Components of an operator, and carries of a recurrence, that are equal throughout are kept once: they begin alike, and
 * what becomes of them is alike if they are. So the primal is scanned once beside all its tangents.
 */
import { arity, componentTypes, type Operator, withLaws } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Statement, Value } from '../0-ir/program.ts';
import { parameterTypes, resultTypes, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { representatives } from './scalar/congruence.ts';
import { bindParameters, restrictFunction, selectResults } from './scalar/edit-function.ts';
import { keyOf, numberKey } from './scalar/operand-key.ts';
import { simplifyFunction } from './scalar/simplify-function.ts';

/** Constructs that have been looked at and have nothing in common. */
const settled = new WeakSet<Construct>();

export const commonComponents: Rewrite = (program, context) =>
  rewriteForward(program, context, ({ construct: c, results }, scope) => {
    if (results.length < 2 || settled.has(c)) return undefined;
    const replaced = mergeCommon(c, results, scope);
    if (!replaced) settled.add(c);
    return replaced;
  });

function mergeCommon(c: Construct, results: Statement['results'], scope: Scope): Value[] | undefined {
  switch (c.kind) {
    case 'reduce':
    case 'scan':
    case 'segmented-scan':
      return c.operator.inverse || c.operator.lift || 'epilogue' in c ? undefined : mergeComponents(c, results, scope);
    case 'recurrence':
      return mergeCarries(c, results, scope);
    default:
      return undefined;
  }
}

function mergeComponents(
  c: ConstructOf<'reduce' | 'scan' | 'segmented-scan'>,
  results: Statement['results'],
  scope: Scope,
): Value[] | undefined {
  const { operator } = c;
  const elements = c.prologue ? c.prologue.body.results.map(keyOf) : c.inputs.map((input) => `%${input.id}`);
  const { kept, leaders, operator: narrow } = withoutRepeats(operator, elements);
  if (kept.length === arity(operator)) return undefined;
  const values = scope.emit({
    ...c,
    operator: narrow,
    ...(c.prologue ? { prologue: selectResults(c.prologue, kept) } : { inputs: kept.map((i) => c.inputs[i]!) }),
  });
  return results.map((_, i) => values[kept.indexOf(leaders[i]!)]!);
}

/**
 * The operator on components that differ, and of all of them which stands for each. `elements`: what each is at every point, as
 * text that is equal where they are.
 */
export function withoutRepeats(
  operator: Operator,
  elements: readonly string[],
): { readonly operator: Operator; readonly kept: readonly number[]; readonly leaders: readonly number[] } {
  const d = arity(operator);
  const parameters = (leaders: readonly number[]): number[] => [...leaders, ...leaders.map((leader) => d + leader)];
  const merged = (leaders: readonly number[]): ScalarFunction => renamed(operator.combine, parameters(leaders));
  const begin = componentTypes(operator).map((type, i) => `${type} ${elements[i]} ${numberKey(operator.neutral[i])}`);
  const { leaders, function: combine } = leadersOf(begin, merged, operator.combine, parameters);
  const kept = distinct(leaders);
  const narrow = withLaws(
    operator,
    restrictFunction(combine, [...kept, ...kept.map((i) => d + i)], kept),
    kept.map((i) => operator.neutral[i]!),
  );
  return { operator: kept.length === d ? operator : narrow, kept, leaders };
}

function mergeCarries(c: ConstructOf<'recurrence'>, results: Statement['results'], scope: Scope): Value[] | undefined {
  const carries = c.initial.length;
  const others = parameterTypes(c.step).flatMap((_, i) => (i < carries ? [] : [i]));
  const parameters = (leaders: readonly number[]): number[] => [...leaders, ...others];
  const merged = (leaders: readonly number[]): ScalarFunction => renamed(c.step, parameters(leaders));
  const begin = c.initial.map((value) => `%${value.id}`);
  const { leaders, function: step } = leadersOf(begin, merged, c.step, parameters);
  // Outputs that are one scalar are one output.
  const outputs = step.body.results.slice(carries).map((result) => keyOf(result));
  const leadingOutputs = outputs.map((key) => carries + outputs.indexOf(key));
  const keptCarries = distinct(leaders);
  const kept = [...keptCarries, ...distinct(leadingOutputs)];
  if (kept.length === resultTypes(c.step).length) return undefined;
  const construct: Construct = {
    ...c,
    step: restrictFunction(step, [...keptCarries, ...others], kept),
    initial: keptCarries.map((i) => c.initial[i]!),
  };
  const values = scope.emit(construct);
  return results.map((_, i) => values[kept.indexOf([...leaders, ...leadingOutputs][i]!)]!);
}

/**
 * For each place the first that is equal to it. Begins with what begins alike, and parts, round by round, those of
 * which different things become. `function` is the one that is merged so; `plain`, simplified, where nothing is.
 */
function leadersOf(
  begin: readonly string[],
  merged: (leaders: readonly number[]) => ScalarFunction,
  plain: ScalarFunction,
  parameters: (leaders: readonly number[]) => readonly number[],
): { readonly leaders: readonly number[]; readonly function: ScalarFunction } {
  const parted = (leaders: readonly number[], results: readonly ScalarOperand[]): readonly number[] => {
    const keys = leaders.map((leader, i) => `${leader} ${keyOf(results[i]!)}`);
    const finer = firsts(keys);
    return finer.every((leader, i) => leader === leaders[i]) ? leaders : finer;
  };
  let leaders: readonly number[] = firsts(begin);
  for (let last; last !== leaders;) {
    if (leaders.every((leader, i) => leader === i)) return { leaders, function: plain };
    last = leaders;
    leaders = parted(leaders, representatives(plain, parameters(leaders)));
  }
  for (;;) {
    if (leaders.every((leader, i) => leader === i)) return { leaders, function: plain };
    const fn = merged(leaders);
    const finer = parted(leaders, fn.body.results);
    if (finer === leaders) return { leaders, function: fn };
    leaders = finer;
  }
}

/** Of each key where it stands first. */
function firsts(keys: readonly string[]): number[] {
  const known = new Map<string, number>();
  return keys.map((key, i) => {
    const first = known.get(key) ?? i;
    known.set(key, first);
    return first;
  });
}

/** The function with parameter `to[i]` in the place of parameter i. */
function renamed(fn: ScalarFunction, to: readonly number[]): ScalarFunction {
  return simplifyFunction(bindParameters(fn, parameterTypes(fn), (i, parameters) => parameters[to[i]!]!));
}

function distinct(list: readonly number[]): number[] {
  return [...new Set(list)].sort((a, b) => a - b);
}

/**
 * The results of one statement that nobody reads, taken out where the others do not depend on them: a component of a
 * product of operators, a carry that only feeds itself, an output of a map.
 */
import { arity, componentTypes, withLaws } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Epilogue, Named, Program, Statement } from '../0-ir/program.ts';
import { resultTypes } from '../0-ir/scalar.ts';
import { usesOf } from '../0-ir/walk.ts';
import { readParameters } from './scalar/dead-code.ts';
import { restrictFunction, selectResults } from './scalar/edit-function.ts';

/** A program without its dead code, for the bodies of loops. */
type Sweep = (program: Program) => Program;

/** Constructs of which everything is needed when so much of them is wanted. */
const settled = new WeakMap<Construct, string>();

/** The statement with at least the wanted results; the very object where none can go. */
export function pruneResults(statement: Statement, wanted: readonly boolean[], sweep: Sweep): Statement {
  const asked = wanted.join();
  if (settled.get(statement.construct) === asked) return statement;
  const pruned = prune(statement.construct, wanted, sweep);
  if (!pruned || pruned.kept.length === wanted.length) {
    settled.set(statement.construct, asked);
    return statement;
  }
  return { ...statement, construct: pruned.construct, results: pick(statement.results, pruned.kept) };
}

interface Pruned {
  readonly construct: Construct;
  /** Which of the results remain. */
  readonly kept: readonly number[];
}

function prune(c: Construct, wanted: readonly boolean[], sweep: Sweep): Pruned | undefined {
  switch (c.kind) {
    case 'map':
      return pruneMap(c, wanted);
    case 'reduce':
    case 'histogram':
      return pruneCombining(c, wanted);
    case 'scan':
    case 'segmented-scan':
      return c.epilogue ? pruneEpilogue(c, c.epilogue, wanted) : pruneCombining(c, wanted);
    case 'keyed-scan':
      return pruneKeyedScan(c, wanted);
    case 'recurrence':
      return pruneRecurrence(c, wanted);
    case 'loop':
      return pruneLoop(c, wanted, sweep);
    default:
      return undefined;
  }
}

function pruneMap(c: ConstructOf<'map'>, wanted: readonly boolean[]): Pruned {
  const kept = indicesOf(wanted);
  const read = indicesOf(readParameters(selectResults(c.function, kept)));
  const construct = { ...c, function: restrictFunction(c.function, read, kept), inputs: pick(c.inputs, read) };
  return { construct, kept };
}

function pruneCombining(
  c: ConstructOf<'reduce' | 'scan' | 'segmented-scan' | 'histogram' | 'keyed-scan'>,
  wanted: readonly boolean[],
): Pruned | undefined {
  const { operator } = c;
  // An inverse or a lift was declared for the whole tuple.
  if (operator.inverse || operator.lift) return undefined;
  const d = arity(operator);
  const kept = closure(wanted, (components) => {
    const read = readParameters(selectResults(operator.combine, components));
    return componentTypes(operator).map((_, i) => (read[i] ?? false) || (read[d + i] ?? false));
  });
  const both = [...kept, ...kept.map((component) => d + component)];
  const narrow = withLaws(operator, restrictFunction(operator.combine, both, kept), pick(operator.neutral, kept));
  const initial = 'initial' in c && c.initial ? { initial: pick(c.initial, kept) } : {};
  if (!c.prologue) return { construct: { ...c, ...initial, operator: narrow, inputs: pick(c.inputs, kept) }, kept };
  const read = indicesOf(readParameters(selectResults(c.prologue, kept)));
  const prologue = restrictFunction(c.prologue, read, kept);
  return { construct: { ...c, ...initial, operator: narrow, prologue, inputs: pick(c.inputs, read) }, kept };
}

function pruneEpilogue(
  { epilogue: _, ...bare }: ConstructOf<'scan' | 'segmented-scan'>,
  { function: fn, inputs }: Epilogue,
  wanted: readonly boolean[],
): Pruned {
  const kept = indicesOf(wanted);
  const d = arity(bare.operator);
  const isRead = readParameters(selectResults(fn, kept));
  const read = indicesOf(isRead).filter((i) => i >= d);
  const left = read.map((i) => inputs[i - d]!);
  if (!isRead.slice(0, d).includes(true)) {
    const map: Construct = { kind: 'map', function: restrictFunction(fn, read, kept), shape: bare.shape, inputs: left };
    return { construct: map, kept };
  }
  const pruned = pruneCombining(bare, isRead.slice(0, d));
  const components = pruned?.kept ?? componentTypes(bare.operator).map((_, i) => i);
  const epilogue = { function: restrictFunction(fn, [...components, ...read], kept), inputs: left };
  return { construct: { ...(pruned?.construct ?? bare), epilogue } as Construct, kept };
}

/** A component's running values and its contents of the bins stay or go together, but where an epilogue shows others. */
function pruneKeyedScan(c: ConstructOf<'keyed-scan'>, wanted: readonly boolean[]): Pruned | undefined {
  const shown = wanted.length - arity(c.operator);
  if (c.epilogue) return wanted.slice(0, shown).includes(false) ? pruneShown(c, c.epilogue, wanted) : undefined;
  const components = wanted.slice(0, shown).map((running, i) => running || (wanted[shown + i] ?? false));
  const pruned = pruneCombining(c, components);
  return pruned && { ...pruned, kept: [...pruned.kept, ...pruned.kept.map((component) => shown + component)] };
}

/** The components stay: who shows something of them has carried what it needs. */
function pruneShown(
  c: ConstructOf<'keyed-scan'>,
  { function: fn, inputs }: Epilogue,
  wanted: readonly boolean[],
): Pruned {
  const d = arity(c.operator);
  const shown = wanted.length - d;
  const kept = indicesOf(wanted.slice(0, shown));
  const components = c.operator.neutral.map((_, i) => i);
  const read = indicesOf(readParameters(selectResults(fn, kept))).filter((i) => i >= d);
  const epilogue = {
    function: restrictFunction(fn, [...components, ...read], kept),
    inputs: read.map((i) => inputs[i - d]!),
  };
  return { construct: { ...c, epilogue }, kept: [...kept, ...components.map((i) => shown + i)] };
}

function pruneRecurrence(c: ConstructOf<'recurrence'>, wanted: readonly boolean[]): Pruned {
  const carries = c.initial.length;
  const kept = closure(wanted, (those) => {
    const read = readParameters(selectResults(c.step, those));
    return resultTypes(c.step).map((_, i) => i < carries && (read[i] ?? false));
  });
  const initial = kept.filter((result) => result < carries);
  const read = indicesOf(readParameters(selectResults(c.step, kept)));
  const firstInvariant = carries + c.inputs.length;
  const inputs = read.filter((i) => i >= carries && i < firstInvariant);
  const invariants = read.filter((i) => i >= firstInvariant);
  const construct: Construct = {
    ...c,
    step: restrictFunction(c.step, [...initial, ...inputs, ...invariants], kept),
    initial: pick(c.initial, initial),
    inputs: inputs.map((i) => c.inputs[i - carries]!),
    invariants: invariants.map((i) => c.invariants[i - firstInvariant]!),
  };
  return { construct, kept };
}

function pruneLoop(c: ConstructOf<'loop'>, wanted: readonly boolean[], sweep: Sweep): Pruned {
  const { parameters, results } = c.body;
  const reads = (of: readonly Named[]): boolean[] => {
    const uses = usesOf(sweep({ ...c.body, results: of }));
    return parameters.map(({ value }) => uses.has(value.id));
  };
  const kept = closure(wanted, (carries) => reads(pick(results, carries)).slice(1, 1 + results.length));
  const read = reads(pick(results, kept));
  const invariants = indicesOf(c.invariants.map((_, i) => read[1 + results.length + i] ?? false));
  const body = sweep({
    ...c.body,
    parameters: pick(parameters, [0, ...kept.map((i) => 1 + i), ...invariants.map((i) => 1 + results.length + i)]),
    results: pick(results, kept),
  });
  const construct = { ...c, body, initial: pick(c.initial, kept), invariants: pick(c.invariants, invariants) };
  return { construct, kept };
}

/** What is wanted, and what that needs, and so on. All is asked for together: one by one, a function of a thousand results is walked a thousand times. */
function closure(wanted: readonly boolean[], needs: (indices: readonly number[]) => readonly boolean[]): number[] {
  let found = wanted;
  for (;;) {
    const needed = needs(indicesOf(found));
    const before = found;
    found = before.map((flag, i) => flag || (needed[i] ?? false));
    if (found.every((flag, i) => flag === before[i])) return indicesOf(found);
  }
}

function indicesOf(flags: readonly boolean[]): number[] {
  return flags.flatMap((flag, i) => (flag ? [i] : []));
}

function pick<T>(list: readonly T[], indices: readonly number[]): T[] {
  return indices.map((i) => list[i]!);
}

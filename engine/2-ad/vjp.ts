/**
 * Reverse mode: y = P(x)  ⇒  (y, x̄) = P̄(x, ȳ), a program in the same IR.
 *
 * No tape: the primal's statements are written first, each by its rule where it is differentiated, then the return
 * sweep in reverse order, in the scope of the primal's values (paper, section 2.2).
 */
import { ProgramBuilder } from '../0-ir/builder.ts';
import { IrError } from '../0-ir/types.ts';
import { mapOperands, operandsOf } from '../0-ir/operands.ts';
import type { Construct, Named, Program, Statement, Value } from '../0-ir/program.ts';
import { inlineCalls } from '../0-ir/walk.ts';
import { unfuse } from '../1-optimize/unfuse.ts';
import { besideGaps, carries, contributors, dependents } from './activity.ts';
import { chooseRule, type Choice } from './choose.ts';
import { steepIn } from './scalar/steep.ts';
import { profiles, type DeviceProfile } from './cost.ts';
import { markTargets, type Use } from './mark.ts';
import { adjointName, cotangentName, namesFrom } from './names.ts';
import type { Primal, Recursion, VjpRule } from './rule.ts';
import { concatenate } from './vjp/concatenate.ts';
import { gather } from './vjp/gather.ts';
import { history } from './vjp/history.ts';
import { histogramAdd } from './vjp/histogram/histogram-add.ts';
import { histogramGeneral } from './vjp/histogram/histogram-general.ts';
import { histogramInvertible } from './vjp/histogram/histogram-invertible.ts';
import { histogramLifted } from './vjp/histogram/histogram-lifted.ts';
import { histogramMinMax } from './vjp/histogram/histogram-min-max.ts';
import { histogramMultiply } from './vjp/histogram/histogram-multiply.ts';
import { histogramSortedGeneral } from './vjp/histogram/histogram-sorted-general.ts';
import { histogramSortedStructured } from './vjp/histogram/histogram-sorted-structured.ts';
import { histogramStructured } from './vjp/histogram/histogram-structured.ts';
import { keyedScanGeneral } from './vjp/scan/keyed-scan-general.ts';
import { keyedScanStructured } from './vjp/scan/keyed-scan-structured.ts';
import { loop } from './vjp/loop.ts';
import { map } from './vjp/map.ts';
import { matmul } from './vjp/matmul.ts';
import { recurrence } from './vjp/recurrence.ts';
import { recurrenceAffine } from './vjp/recurrence-affine.ts';
import { recurrenceCheckpointed } from './vjp/recurrence-checkpointed.ts';
import { reduceAdd } from './vjp/reduce/reduce-add.ts';
import { reduceGeneral } from './vjp/reduce/reduce-general.ts';
import { reduceInvertible } from './vjp/reduce/reduce-invertible.ts';
import { reduceLifted } from './vjp/reduce/reduce-lifted.ts';
import { reduceMinMax } from './vjp/reduce/reduce-min-max.ts';
import { reduceMultiply } from './vjp/reduce/reduce-multiply.ts';
import { reducePpad } from './vjp/reduce/reduce-ppad.ts';
import { reduceStructured } from './vjp/reduce/reduce-structured.ts';
import { replicate } from './vjp/replicate.ts';
import { reshape } from './vjp/reshape.ts';
import { reverse } from './vjp/reverse.ts';
import { scanAdd } from './vjp/scan/scan-add.ts';
import { scanGeneral } from './vjp/scan/scan-general.ts';
import { scanPpad } from './vjp/scan/scan-ppad.ts';
import { scanStructured } from './vjp/scan/scan-structured.ts';
import { scatter } from './vjp/scatter.ts';
import { segmentedScanGeneral } from './vjp/scan/segmented-scan-general.ts';
import { segmentedScanStructured } from './vjp/scan/segmented-scan-structured.ts';
import { slice } from './vjp/slice.ts';
import { solve } from './vjp/solve.ts';
import { transpose } from './vjp/transpose.ts';

/** Every rule, special before general. */
export const vjpRules: readonly VjpRule[] = [
  map,
  reduceAdd,
  reduceMinMax,
  reduceMultiply,
  reduceInvertible,
  reduceLifted,
  reduceStructured,
  reduceGeneral,
  reducePpad,
  scanAdd,
  scanStructured,
  scanGeneral,
  scanPpad,
  segmentedScanStructured,
  segmentedScanGeneral,
  histogramAdd,
  histogramMinMax,
  histogramMultiply,
  histogramInvertible,
  histogramLifted,
  histogramStructured,
  histogramGeneral,
  histogramSortedStructured,
  histogramSortedGeneral,
  keyedScanStructured,
  keyedScanGeneral,
  recurrence,
  recurrenceAffine,
  recurrenceCheckpointed,
  history,
  solve,
  loop,
  gather,
  scatter,
  replicate,
  reverse,
  transpose,
  reshape,
  slice,
  concatenate,
  matmul,
] as readonly VjpRule[];

export interface VjpOptions {
  /** Results to differentiate, by name. All real ones unless said. */
  readonly of?: readonly string[];
  /** What to differentiate by: parameters by name, any value, or one use of a value. All real parameters unless said. */
  readonly by?: readonly (string | Value | Use)[];
  readonly profile?: DeviceProfile;
  /** Origin (block) → the name of the rule that it must use, on its constructs of the rule's kind. */
  readonly force?: ReadonlyMap<string, string>;
  /** Told of every rule that is chosen. */
  readonly onChoice?: (statement: Statement, choice: Choice) => void;
}

/**
 * Parameters: those of the program, then `cotangent of NAME` for each result in `of`, of its type.
 * Results: those of the program, then an adjoint for each entry of `by`, of its type: `adjoint of NAME`, or
 * `adjoint of %id` and `adjoint of use i.j`. What does not reach a result has an adjoint of zeros.
 */
export function vjp(source: Program, options: VjpOptions = {}): Program {
  const targets = options.by ?? source.parameters.filter(({ value }) => carries(value)).map(({ name }) => name);
  const marked = markTargets(
    source,
    targets.filter((target) => typeof target !== 'string'),
  );
  const program = unfuse(inlineCalls(marked.program));
  const of = (options.of ?? program.results.filter(({ value }) => carries(value)).map(({ name }) => name)).map(
    (name) => {
      const result = program.results.find((candidate) => candidate.name === name);
      if (!result) throw new IrError(`there is no result ${name} to differentiate`);
      if (!carries(result.value))
        throw new IrError(`${name} is ${result.value.type.element}, and only real values have derivatives`);
      return result;
    },
  );
  let next = 0;
  const by = targets.map((target): Named =>
    typeof target === 'string'
      ? parameterNamed(program, target)
      : { name: targetName(target), value: marked.values[next++]! },
  );
  for (const { name, value } of by)
    if (!carries(value)) throw new IrError(`${name} is ${value.type.element}: only real values have derivatives`);
  return pull(program, of, by, options);
}

/** The return sweep on plain constructs, `of` and `by` found already. */
function pull(program: Program, of: readonly Named[], by: readonly Named[], options: VjpOptions): Program {
  const vjpInside: Recursion['vjp'] = (inner, seeded, wanted, { forced } = { forced: true }) =>
    pullProgram(inner, seeded, wanted, forced ? options : { ...options, force: new Map() });
  const missing = besideGaps(program);
  const active = dependents(
    program,
    by.map(({ value }) => value.id),
  );
  const needed = contributors(
    program,
    of.map(({ value }) => value.id),
  );
  const isActive = (value: Value): boolean => active.has(value.id) && needed.has(value.id);

  const b = new ProgramBuilder();
  const known = new Map<number, Value>();
  const now = (value: Value): Value => known.get(value.id)!;
  for (const { name, value, ...facts } of program.parameters) known.set(value.id, b.parameter(name, value.type, facts));

  const sweep = new ReturnSweep(b);
  const steps: { statement: Statement; choice: Choice; primal: Primal }[] = [];
  for (const statement of program.statements) {
    b.origin = statement.origin;
    const construct = mapOperands(statement.construct, now);
    const choice = statement.results.some(isActive)
      ? chooseRule(
          vjpRules,
          construct,
          options.profile ?? profiles.cpu,
          options.force?.get(statement.origin ?? ''),
          statement.origin,
        )
      : undefined;
    if (choice) options.onChoice?.(statement, choice);
    const primal = choice?.rule.primal?.(b, construct) ?? { results: b.emit(construct) };
    statement.results.forEach((result, i) => known.set(result.id, primal.results[i]!));
    if (choice) steps.push({ statement, choice, primal });
    else if (statement.results.some(isActive))
      throw new IrError(`${statement.construct.kind} has no rule for reverse mode`);
  }

  const parameterName = namesFrom(program.parameters.map(({ name }) => name));
  for (const { name, value } of of) sweep.add(value, b.parameter(parameterName(cotangentName(name)), value.type));

  const steep = new Set<number>();
  for (const { statement, choice, primal } of steps.reverse()) {
    const cotangents = statement.results.map((result) => sweep.of(result));
    if (cotangents.every((cotangent) => cotangent === undefined)) continue;
    b.origin = statement.origin;
    const operands = operandsOf(statement.construct);
    const wanted = operands.map((operand) => active.has(operand.id) && carries(operand));
    const construct = mapOperands(statement.construct, now);
    const around = {
      vjp: vjpInside,
      missing: operands.some(({ id }) => missing.has(id)),
      steep: statement.results.map(({ id }) => steep.has(id)),
    };
    for (const value of steepOperands(statement.construct, around.steep)) steep.add(value.id);
    choice.rule.cotangents(b, construct, primal, cotangents, wanted, around).forEach((adjoint, i) => {
      if (adjoint && wanted[i]) sweep.add(operands[i]!, adjoint);
    });
  }

  b.origin = undefined;
  const resultName = namesFrom(program.results.map(({ name }) => name));
  const adjoints = by.map(({ name, value }) => ({
    name: resultName(adjointName(name)),
    value: sweep.of(value) ?? b.zeros(value.type),
  }));
  return b.finish([...program.results.map(({ name, value }) => ({ name, value: now(value) })), ...adjoints]);
}

/** Which operands have a cotangent that may be infinite for the sake of an edge: of its own operations, or of its results'. */
function steepOperands(construct: Construct, results: readonly boolean[]): readonly Value[] {
  if (construct.kind !== 'map') return results.includes(true) ? operandsOf(construct) : [];
  const { function: f, inputs } = construct;
  const inside = steepIn(f.body, results);
  return inputs.filter((_, i) => inside.has(f.parameters[i]!.id));
}

/** For rules of constructs that hold programs. */
function pullProgram(
  source: Program,
  seeded: readonly boolean[],
  wanted: readonly boolean[],
  options: VjpOptions,
): Program {
  const program = unfuse(inlineCalls(source));
  return pull(
    program,
    program.results.filter((_, i) => seeded[i]),
    program.parameters.filter((_, i) => wanted[i]),
    options,
  );
}

/** The adjoints gathered so far, by id in the primal program. */
class ReturnSweep {
  private readonly adjoints = new Map<number, Value>();

  constructor(private readonly b: ProgramBuilder) {}

  of(value: Value): Value | undefined {
    return this.adjoints.get(value.id);
  }

  add(value: Value, term: Value): void {
    const before = this.adjoints.get(value.id);
    this.adjoints.set(value.id, before ? this.b.apply('add', before, term) : term);
  }
}

function parameterNamed(program: Program, name: string): Named {
  const parameter = program.parameters.find((candidate) => candidate.name === name);
  if (!parameter) throw new IrError(`there is no parameter ${name} to differentiate by`);
  return parameter;
}

const targetName = (target: Value | Use): string =>
  'id' in target ? `%${target.id}` : `use ${target.statement}.${target.operand}`;

/**
 * Forward mode: y = P(x)  ⇒  (y, ẏ) = Ṗ(x, ẋ), a program in the same IR. A tangent that is zero is left out.
 */
import { ProgramBuilder } from '../0-ir/builder.ts';
import { IrError } from '../0-ir/types.ts';
import { mapOperands, operandsOf } from '../0-ir/operands.ts';
import type { Construct, ConstructKind, Named, Program, Value } from '../0-ir/program.ts';
import { inlineCalls } from '../0-ir/walk.ts';
import { unfuse } from '../1-optimize/unfuse.ts';
import { carries } from './activity.ts';
import { call } from './jvp/call.ts';
import { concatenate } from './jvp/concatenate.ts';
import { gather } from './jvp/gather.ts';
import { history } from './jvp/history.ts';
import { histogram } from './jvp/histogram.ts';
import { keyedScan } from './jvp/keyed-scan.ts';
import { constant, linear } from './jvp/linear.ts';
import { loop } from './jvp/loop.ts';
import { map } from './jvp/map.ts';
import { matmul } from './jvp/matmul.ts';
import { recurrence } from './jvp/recurrence.ts';
import { reduce } from './jvp/reduce.ts';
import { scan } from './jvp/scan.ts';
import { scatter } from './jvp/scatter.ts';
import { segmentedScan } from './jvp/segmented-scan.ts';
import { solve } from './jvp/solve.ts';
import { namesFrom, tangentName } from './names.ts';
import type { Derivative, JvpRule, Recursion } from './rule.ts';

const jvpRules: { readonly [K in ConstructKind]: JvpRule<K> } = {
  literal: constant,
  map,
  reduce,
  scan,
  'segmented-scan': segmentedScan,
  histogram,
  'keyed-scan': keyedScan,
  recurrence,
  history,
  solve,
  loop,
  gather,
  scatter,
  'sort-permutation': constant,
  iota: constant,
  replicate: linear,
  reverse: linear,
  transpose: linear,
  reshape: linear,
  slice: linear,
  concatenate,
  matmul,
  call,
};

/**
 * `by`: parameters that move, by name; all real ones unless said. Parameters: those of the program, then
 * `tangent of NAME` for each. Results: those of the program, then `tangent of NAME` for each in `of` (all real ones
 * unless said), zeros where it does not move.
 */
export function jvp(
  source: Program,
  options: { readonly by?: readonly string[]; readonly of?: readonly string[] } = {},
): Program {
  const program = unfuse(inlineCalls(source));
  const by = new Set(options.by ?? program.parameters.filter(({ value }) => carries(value)).map(({ name }) => name));
  for (const name of by) {
    const parameter = program.parameters.find((candidate) => candidate.name === name);
    if (!parameter) throw new IrError(`there is no parameter ${name} to differentiate by`);
    if (!carries(parameter.value))
      throw new IrError(`${name} is ${parameter.value.type.element}: only real values have derivatives`);
  }
  const of = options.of ?? program.results.filter(({ value }) => carries(value)).map(({ name }) => name);
  const forward = push(
    program,
    program.parameters.map(({ name }) => by.has(name)),
  );
  const resultName = namesFrom(program.results.map(({ name }) => name));
  const tangents = of.map((name): Named => {
    const at = program.results.findIndex((result) => result.name === name);
    const result = program.results[at];
    if (!result) throw new IrError(`there is no result ${name} to differentiate`);
    return { name: resultName(tangentName(name)), value: forward.tangents[at] ?? forward.b.zeros(result.value.type) };
  });
  return forward.b.finish([...forward.results, ...tangents]);
}

/** For rules of constructs that hold programs: tangents of the active results follow the results. */
function jvpProgram(program: Program, active: readonly boolean[]): { program: Program; active: boolean[] } {
  const { b, results, tangents } = push(unfuse(inlineCalls(program)), active);
  const resultName = namesFrom(results.map(({ name }) => name));
  const moving = results.flatMap(({ name }, i): Named[] => {
    const tangent = tangents[i];
    return tangent ? [{ name: resultName(tangentName(name)), value: tangent }] : [];
  });
  return { program: b.finish([...results, ...moving]), active: tangents.map((tangent) => tangent !== undefined) };
}

const recursion: Pick<Recursion, 'jvp'> = { jvp: jvpProgram };

function push(
  program: Program,
  active: readonly boolean[],
): { b: ProgramBuilder; results: Named[]; tangents: Derivative[] } {
  const b = new ProgramBuilder();
  const known = new Map<number, Value>();
  const tangents = new Map<number, Value>();
  const now = (value: Value): Value => known.get(value.id)!;
  for (const { name, value, ...facts } of program.parameters) known.set(value.id, b.parameter(name, value.type, facts));
  const parameterName = namesFrom(program.parameters.map(({ name }) => name));
  program.parameters.forEach(({ name, value }, i) => {
    if (active[i]) tangents.set(value.id, b.parameter(parameterName(tangentName(name)), value.type));
  });
  for (const { construct, results, origin } of program.statements) {
    b.origin = origin;
    const moving = operandsOf(construct).map((operand) => tangents.get(operand.id));
    const current = mapOperands(construct, now);
    const rule = jvpRules[construct.kind] as JvpRule<ConstructKind>;
    const still = moving.every((tangent) => tangent === undefined);
    const out = still ? unmoved(b, current) : rule(b, current, moving, recursion);
    results.forEach((result, i) => {
      known.set(result.id, out.results[i]!);
      const tangent = out.tangents[i];
      if (tangent) tangents.set(result.id, tangent);
    });
  }
  b.origin = undefined;
  return {
    b,
    results: program.results.map(({ name, value }) => ({ name, value: now(value) })),
    tangents: program.results.map(({ value }) => tangents.get(value.id)),
  };
}

function unmoved(b: ProgramBuilder, construct: Construct): { results: Value[]; tangents: Derivative[] } {
  return { results: b.emit(construct), tangents: [] };
}

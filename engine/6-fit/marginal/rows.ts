/**
 * The Hessian of effects that rows of tables see by `gather`. Where groups cross it has no blocks, but each row sees few
 * effects, and with z_k[row] = b[i_k[row]] it is a sum over the rows,
 *
 *   H = ∂²E/∂b², z held  +  Σ_rows Σ_kl (∂²E/∂z_k∂z_l)·e_{i_k}·e_{i_l}ᵀ
 *
 * a reduce-by-index of second derivatives. One direction that is 1 in all rows gives those of every row at once, so that a
 * run for each effect that a row sees takes the place of one for each group; and Σ A∘H is differentiated by one sweep.
 * It is all of H where rows do not meet, which the caller is to test.
 */
import { ProgramBuilder } from '../../0-ir/builder.ts';
import { builtinOperator } from '../../0-ir/operators.ts';
import { mapOperands } from '../../0-ir/operands.ts';
import type { MapConstruct, Named, Program, Statement, Value } from '../../0-ir/program.ts';
import { sameShape, type Shape } from '../../0-ir/types.ts';
import { definitionsOf, firstFreeId, inlineProgram, sameParameters } from '../../0-ir/walk.ts';
import { dependents } from '../../2-ad/activity.ts';
import { jvp } from '../../2-ad/jvp.ts';
import { vjp } from '../../2-ad/vjp.ts';
import { gradientName, withGradient, type SweepOptions } from '../derivative-programs.ts';
import type { EffectLayout, PlacedEffect } from '../effects.ts';

/** The name of H, row after row in one axis. */
export const hessianName = 'curvature';

/** An effect as the rows of a table see it: a parameter in its own right. */
interface Seen {
  readonly name: string;
  readonly effect: PlacedEffect;
  /** Of the program that it was found in. */
  readonly indices: Value;
  readonly value: Value;
}

/** Results `also`, E, `gradient by EFFECT` and H; undefined where no row sees an effect by a gather alone. */
export function withRowCurvature(
  program: Program,
  energy: string,
  layout: EffectLayout,
  also: readonly string[],
  options: SweepOptions,
): Program | undefined {
  const { seen, split } = seenByRows(program, energy, layout);
  if (seen.length === 0) return undefined;
  const b = new ProgramBuilder();
  const parameters = sameParameters(b, program);
  const parameter = (name: string): Value => parameters[program.parameters.findIndex((of) => of.name === name)]!;
  const kept = program.results.filter(({ name }) => also.includes(name) && name !== energy);
  const plain = inlineProgram(
    b,
    { ...program, results: [...kept, ...seen.map(({ name, indices }) => ({ name, value: indices }))] },
    parameters,
  );
  const results: Named[] = kept.map(({ name }, i) => ({ name, value: plain[i]! }));
  const indices = plain.slice(kept.length);
  const looked = seen.map(({ effect }, k) => b.gather(parameter(effect.name), indices[k]!, 'fault'));

  const { effects, length } = layout;
  const variables = [...effects, ...seen].map(({ name }) => name);
  const slope = withGradient(split, energy, variables, options);
  const given = [...parameters, ...looked];
  const [value, ...slopes] = inlineProgram(b, slope, given);
  results.push({ name: energy, value: value! });
  const add = builtinOperator('add');
  for (const [i, effect] of effects.entries()) {
    const bins = parameter(effect.name).type.shape[0]!;
    const parts = seen.flatMap((each, k) =>
      each.effect === effect ? b.histogram(add, indices[k]!, [slopes[effects.length + k]!], bins) : [],
    );
    const total = parts.reduce((sum, part) => b.apply('add', sum, part), slopes[i]!);
    results.push({ name: gradientName(effect.name), value: total });
  }

  const offset = ({ offset }: PlacedEffect, at: Value): Value => b.apply('add', at, b.literal(offset, 'int'));
  const places = [
    ...effects.map((effect) => offset(effect, b.iota(parameter(effect.name).type.shape[0]!))),
    ...seen.map(({ effect }, k) => offset(effect, indices[k]!)),
  ];
  const [keys, entries]: [Value[], Value[]] = [[], []];
  const enter = (i: number, j: number, entry: Value): void => {
    keys.push(b.apply('add', b.apply('mul', places[i]!, b.literal(length, 'int')), places[j]!));
    entries.push(entry);
  };
  for (const [i, outer] of variables.entries()) {
    const { shape } = places[i]!.type;
    const isRow = i >= effects.length;
    const inner = variables.flatMap((_, j) =>
      j >= i && j >= effects.length === isRow && sameShape(places[j]!.type.shape, shape) ? [j] : [],
    );
    const forward = jvp(slope, { by: [outer], of: inner.map((j) => gradientName(variables[j]!)) });
    const columns = inlineProgram(b, forward, [...given, b.replicate(b.literal(1), shape)]);
    for (const [k, j] of inner.entries()) {
      const entry = columns[slope.results.length + k]!;
      enter(i, j, entry);
      if (j !== i) enter(j, i, entry);
    }
  }
  const hessian = b.histogram(add, b.concatenate(keys, 0), [b.concatenate(entries, 0)], length * length);
  return b.finish([...results, { name: hessianName, value: hessian[0]! }]);
}

/** Of `withRowCurvature`: parameters `cotangent of` E and of H, results `adjoint of` each of `by`. */
export function withRowContraction(
  curvature: Program,
  energy: string,
  by: readonly string[],
  options: SweepOptions,
): Program {
  const of = [energy, hessianName];
  const only = { ...curvature, results: curvature.results.filter(({ name }) => of.includes(name)) };
  const whole = vjp(only, { ...options, of, by });
  return { ...whole, results: whole.results.slice(only.results.length) };
}

/**
 * The energy with what rows see as parameters of its own, after the program's: a gather of what maps make of effects,
 * group by group, is those maps of gathered effects, row by row.
 */
function seenByRows(
  program: Program,
  energy: string,
  { effects }: EffectLayout,
): { readonly seen: readonly Seen[]; readonly split: Program } {
  const isEffect = new Map(
    program.parameters.flatMap(({ name, value }) => {
      const effect = effects.find((each) => each.name === name);
      return effect ? [[value.id, effect] as const] : [];
    }),
  );
  const moved = dependents(program, isEffect.keys());
  const definitions = definitionsOf(program);
  const seen: Seen[] = [];
  const statements: Statement[] = [];
  const replaced = new Map<number, Value>();
  const resolve = (value: Value): Value => replaced.get(value.id) ?? value;
  let next = firstFreeId(program);
  const fresh = (like: Value, shape: Shape): Value => ({ id: next++, type: { ...like.type, shape } });

  /** Whether it is an effect, or made group by group of effects and of what is the same for all groups or one for each. */
  const isByGroup = (value: Value): boolean => {
    if (isEffect.has(value.id)) return true;
    const construct = definitions.get(value.id)?.construct;
    if (construct?.kind !== 'map' || construct.shape.length !== 1) return false;
    return construct.inputs.every((input) => {
      const own = sameShape(input.type.shape, construct.shape);
      return moved.has(input.id) ? own && isByGroup(input) : own || input.type.shape.length === 0;
    });
  };
  const lifts = new Map<string, Value>();
  const lift = (value: Value, indices: Value): Value => {
    const key = `${value.id} at ${indices.id}`;
    const known = lifts.get(key);
    if (known) return known;
    const { shape } = indices.type;
    const effect = isEffect.get(value.id);
    const definition = definitions.get(value.id);
    if (effect) {
      const own = fresh(value, shape);
      seen.push({ name: `${effect.name} seen ${seen.length}`, effect, indices, value: own });
      lifts.set(key, own);
    } else if (moved.has(value.id)) {
      const { construct, results } = definition as Statement & { construct: MapConstruct };
      const inputs = construct.inputs.map((input) =>
        input.type.shape.length === 0 ? resolve(input) : lift(input, indices),
      );
      const own = results.map((result) => fresh(result, shape));
      statements.push({ ...definition!, results: own, construct: { ...construct, shape, inputs } });
      results.forEach(({ id }, i) => lifts.set(`${id} at ${indices.id}`, own[i]!));
    } else {
      const own = fresh(value, shape);
      const from = resolve(value);
      statements.push({
        results: [own],
        construct: { kind: 'gather', from, indices: resolve(indices), outside: 'fault', batch: 0 },
      });
      lifts.set(key, own);
    }
    return lifts.get(key)!;
  };

  for (const statement of program.statements) {
    const { construct, results } = statement;
    if (
      construct.kind === 'gather' &&
      construct.batch === 0 &&
      construct.outside === 'fault' &&
      construct.indices.type.shape.length === 1 &&
      moved.has(construct.from.id) &&
      isByGroup(construct.from)
    )
      replaced.set(results[0]!.id, lift(construct.from, construct.indices));
    else statements.push({ ...statement, construct: mapOperands(construct, resolve) });
  }
  const split: Program = {
    parameters: [...program.parameters, ...seen.map(({ name, value }) => ({ name, value }))],
    statements,
    results: program.results
      .filter(({ name }) => name === energy)
      .map(({ name, value }) => ({ name, value: resolve(value) })),
  };
  return { seen, split };
}

/** Derivatives of one output of a model: a program written by the engine's own transformations, and run. */
import { adjointName, cotangentName, type Device, jvp, profiles, tangentName, vjp } from '../../engine/index.ts';
import { parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { Refused } from '../refused.ts';
import { withRoom } from './derivatives/checkpoints.ts';
import { realOutput, runDerived, type Numbers } from './running/derived.ts';
import { demandOuter, isIntegrated, marginalObjective, outerParameters } from './fit/marginal.ts';
import { forceRules, type ForcedRules } from './derivatives/forced-rules.ts';
import { asRefused } from './running/refusals.ts';
import { numbersOfShape, realSource } from './derivatives/sources.ts';

export interface ReverseRequest {
  readonly of: string;
  /** Ids of real sources; every parameter unless said. */
  readonly wrt?: readonly string[] | undefined;
  /** JSON of the value's shape; 1 for a scalar. */
  readonly cotangent?: unknown;
  readonly rules?: ForcedRules | undefined;
}

/** Reverse mode: the value, and its adjoint by each source under the cotangent. */
export async function reverse(
  model: Model,
  { of, wrt, cotangent, rules }: ReverseRequest,
  device: Device,
): Promise<{ value: Numbers; adjoints: Map<string, Numbers> }> {
  try {
    const shape = realOutput(model, of);
    if (isIntegrated(model, of)) return await ofMarginal(model, { wrt, cotangent, rules });
    const names = wrt ? [...new Set(wrt)] : parametersOf(model).map(({ id }) => id);
    const sources = names.map((name) => realSource(model, name));
    const ids = [...new Set(sources.map(({ id }) => id))];
    if (cotangent === undefined && shape.length > 0)
      throw new Refused(
        `"${of}" is no scalar: say by --cotangent, of shape [${shape.join(', ')}], how its elements are weighted`,
      );
    const seed = numbersOfShape(cotangent === undefined ? 1 : cotangent, shape, 'the cotangent');
    const lowered = lowerModel(model, { outputs: [of], sources: ids, solverErrors: true });
    const results = [of, ...ids.map(adjointName)];
    const inputs = new Map([[cotangentName(of), seed]]);
    const [value, ...adjoints] = await withRoom(rules ?? new Map(), (force, onChoice) => {
      const forced = forceRules(model, force);
      const options = { of: [of], by: ids, profile: profiles[device.kind], ...forced.options(onChoice) };
      const program = vjp(lowered.program, options);
      forced.demandUsed();
      return runDerived(model, device, lowered, program, inputs, results);
    });
    return {
      value: { shape, values: value! },
      adjoints: new Map(sources.map(({ id, shape }, i) => [names[i]!, { shape, values: adjoints[ids.indexOf(id)]! }])),
    };
  } catch (error) {
    throw asRefused(error);
  }
}

async function ofMarginal(
  model: Model,
  { wrt, cotangent = 1, rules }: Omit<ReverseRequest, 'of'>,
): Promise<{ value: Numbers; adjoints: Map<string, Numbers> }> {
  if (rules && rules.size > 0)
    throw new Refused('rules are forced on the program of a block; random effects are integrated out of the objective');
  const names = wrt ? [...new Set(wrt)] : outerParameters(model).map(({ id }) => id);
  const sources = names.map((name) => realSource(model, name));
  demandOuter(
    model,
    sources.map(({ id }) => id),
  );
  const [weight = 1] = numbersOfShape(cotangent, [], 'the cotangent');
  const { value, gradient } = await marginalObjective(model, {});
  const adjoints = sources.map(({ id, shape }, i): [string, Numbers] => [
    names[i]!,
    { shape, values: Float64Array.from(gradient.get(id) ?? [], (g) => weight * g) },
  ]);
  return { value: { shape: [], values: Float64Array.of(value) }, adjoints: new Map(adjoints) };
}

/** Forward mode: the value, and its tangent as the named sources move. `tangent` is JSON: id → numbers of its shape. */
export async function forward(
  model: Model,
  { of, tangent }: { readonly of: string; readonly tangent: unknown },
  device: Device,
): Promise<{ value: Numbers; tangent: Numbers }> {
  try {
    const shape = realOutput(model, of);
    if (typeof tangent !== 'object' || tangent === null || Array.isArray(tangent))
      throw new Refused('the tangent wants an object: {"ID": numbers, …}');
    const moves = Object.entries(tangent).map(([id, json]) => {
      const source = realSource(model, id);
      return { id: source.id, values: numbersOfShape(json, source.shape, `the tangent of "${id}"`) };
    });
    const ids = moves.map(({ id }) => id);
    if (isIntegrated(model, of)) {
      demandOuter(model, ids);
      const { value, gradient } = await marginalObjective(model, {});
      const moved = moves.reduce(
        (sum, { id, values }) => values.reduce((inner, v, i) => inner + v * (gradient.get(id)?.[i] ?? 0), sum),
        0,
      );
      const scalar = (x: number): Numbers => ({ shape: [], values: Float64Array.of(x) });
      return { value: scalar(value), tangent: scalar(moved) };
    }
    const lowered = lowerModel(model, { outputs: [of], sources: ids, solverErrors: true });
    const program = jvp(lowered.program, { of: [of], by: ids });
    const inputs = new Map(moves.map(({ id, values }) => [tangentName(id), values]));
    const [value, moved] = await runDerived(model, device, lowered, program, inputs, [of, tangentName(of)]);
    return { value: { shape, values: value! }, tangent: { shape, values: moved! } };
  } catch (error) {
    throw asRefused(error);
  }
}

/**
 * The document's objective where random effects are integrated out: it is no result of the model's program, and has
 * derivatives by the parameters alone.
 */
import {
  cpuDevice,
  elementName,
  type FitParameter,
  type FitProblem,
  marginalExpansion,
} from '../../../engine/index.ts';
import { namesObjective, parametersOf, type Model } from '../../../models/load/model.ts';
import type { ParameterInfo } from '../../../models/objective/parameter-info.ts';
import { Refused } from '../../refused.ts';
import { problemOf } from './fit.ts';
import { demandModes, isMarginal } from './random-effects.ts';
import type { ParameterValues } from '../running/run.ts';

/** Whether `of`, or the objective where it is undefined, is a likelihood of which effects are integrated out. */
export function isIntegrated(model: Model, of?: string): boolean {
  if (of !== undefined && !namesObjective(model, of)) return false;
  return (
    model.objective.length > 0 && isMarginal(model) && parametersOf(model).some(({ effect }) => effect !== undefined)
  );
}

/** What is left to vary: every parameter but the effects. */
export const outerParameters = (model: Model): ParameterInfo[] =>
  parametersOf(model).filter(({ effect }) => effect === undefined);

interface MarginalObjective {
  readonly value: number;
  /** Parameter → its elements. */
  readonly gradient: ReadonlyMap<string, readonly number[]>;
  /** Over every element of `outerParameters`. */
  readonly names: readonly string[];
  readonly hessian?: readonly (readonly number[])[];
}

/** −log L(θ) with all its constants, without priors. Throws `Refused` where a group has no mode. */
export async function marginalObjective(
  model: Model,
  at: ParameterValues,
  { hessian: second = false }: { readonly hessian?: boolean } = {},
): Promise<MarginalObjective> {
  const device = cpuDevice();
  try {
    const whole = await problemOf(model, device, at);
    await demandModes(whole);
    const problem: FitProblem = { ...whole, energy: whole.objective, parameters: whole.parameters.map(varied) };
    const { value, gradient, hessian } = await marginalExpansion(problem, device, { hessian: second });
    const names = problem.parameters.flatMap(({ name, shape, initial, fixed }) =>
      fixed ? [] : initial.map((_, element) => elementName(name, shape, element)),
    );
    const told = outerParameters(model).flatMap(({ id, shape, initial }) =>
      initial.map((_, element) => [id, elementName(id, shape, element)] as const),
    );
    // A parameter that nothing reads changes nothing.
    const places = told.map(([, name]) => names.indexOf(name));
    const by = new Map<string, number[]>();
    told.forEach(([id], i) => by.set(id, [...(by.get(id) ?? []), gradient[places[i]!] ?? 0]));
    return {
      ...{ value, gradient: by, names: told.map(([, name]) => name) },
      ...(hessian && { hessian: places.map((i) => places.map((j) => hessian[i]?.[j] ?? 0)) }),
    };
  } finally {
    device.close();
  }
}

/** Derivatives are by fixed parameters too, wherever their bounds are. */
const varied = (parameter: FitParameter & { readonly effect?: string }): FitParameter =>
  parameter.effect !== undefined || !parameter.fixed ? parameter : { ...parameter, fixed: false, scale: 'linear' };

/** Throws `Refused` for what is no parameter that is left. */
export function demandOuter(model: Model, ids: readonly string[]): void {
  const known = new Set(outerParameters(model).map(({ id }) => id));
  const other = ids.find((id) => !known.has(id));
  if (other !== undefined)
    throw new Refused(
      `the objective has its random effects integrated out: it is differentiated by parameters (${[...known].join(', ')}), and not by "${other}"; ` +
        `say by --of which block to differentiate, or "fit": {"marginal": false}`,
    );
}

/** Second derivatives of a scalar of a model: forward over reverse mode. */
import {
  type Device,
  elementName,
  gradientName,
  jacobianName,
  productName,
  profiles,
  tangentName,
  withHessian,
  withHessianProduct,
} from '../../engine/index.ts';
import { namesObjective, parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel, type Lowered } from '../../models/lower/lower.ts';
import type { ParameterInfo } from '../../models/objective/parameter-info.ts';
import { Refused } from '../refused.ts';
import { realOutput, runDerived } from './running/derived.ts';
import { isIntegrated, marginalObjective } from './fit/marginal.ts';
import { asRefused } from './running/refusals.ts';
import { demandSolved, solverErrors } from './running/solver-errors.ts';
import { numbersOfShape } from './derivatives/sources.ts';

export interface HessianRequest {
  /** A real scalar; the objective unless said. */
  readonly of?: string | undefined;
  /** JSON, one number for each element of every parameter: the product with it is wanted. */
  readonly vector?: unknown;
}

/** Over every element of every parameter, in the order of the document: `ke[0]`, `K[0,1]`. */
export interface HessianResult {
  readonly parameters: readonly string[];
  readonly hessian?: readonly (readonly number[])[];
  readonly product?: readonly number[];
}

interface Subject {
  readonly model: Model;
  readonly lowered: Lowered;
  readonly energy: string;
  readonly parameters: readonly ParameterInfo[];
}

/** Throws `Refused` where there is no such scalar, no parameter, or the vector does not fit. */
export async function hessian(model: Model, { of, vector }: HessianRequest, device: Device): Promise<HessianResult> {
  try {
    if (isIntegrated(model, of)) return await ofMarginal(model, vector);
    const subject = subjectOf(model, of);
    // The program of a second derivative has none of the values beside it.
    const read = of === undefined ? { objective: 'value' as const } : { outputs: [of] };
    demandSolved(await solverErrors(model, device, read, {}, 'derivatives'));
    const names = subject.parameters.flatMap(({ id, shape, initial }) =>
      initial.map((_, element) => elementName(id, shape, element)),
    );
    if (vector === undefined) return { parameters: names, hessian: await matrix(subject, device) };
    return {
      parameters: names,
      product: await product(subject, numbersOfShape(vector, [names.length], 'the vector'), device),
    };
  } catch (error) {
    throw asRefused(error);
  }
}

/** By every parameter that is left: differences of exact gradients. */
async function ofMarginal(model: Model, vector: unknown): Promise<HessianResult> {
  const { names: parameters, hessian: rows = [] } = await marginalObjective(model, {}, { hessian: true });
  if (vector === undefined) return { parameters, hessian: rows };
  const direction = numbersOfShape(vector, [parameters.length], 'the vector');
  return { parameters, product: rows.map((row) => row.reduce((sum, h, j) => sum + h * direction[j]!, 0)) };
}

function subjectOf(model: Model, of: string | undefined): Subject {
  const parameters = parametersOf(model);
  if (parameters.length === 0) throw new Refused('the document has no parameters to differentiate by');
  const sources = parameters.map(({ id }) => id);
  if (of === undefined || namesObjective(model, of)) {
    if (model.objective.length === 0)
      throw new Refused('the document has no objective: say by --of which scalar to differentiate');
    return {
      model,
      lowered: lowerModel(model, { objective: 'value', sources }),
      energy: 'objective',
      parameters,
    };
  }
  const shape = realOutput(model, of);
  if (shape.length > 0) throw new Refused(`"${of}" has shape [${shape.join(', ')}]: a Hessian is of a scalar`);
  return { model, lowered: lowerModel(model, { outputs: [of], sources }), energy: of, parameters };
}

async function matrix({ model, lowered, energy, parameters }: Subject, device: Device): Promise<number[][]> {
  const ids = parameters.map(({ id }) => id);
  const program = withHessian(lowered.program, energy, ids, { profile: profiles[device.kind] });
  const wanted = ids.flatMap((row) => ids.map((column) => jacobianName(gradientName(row), column)));
  const blocks = await runDerived(model, device, lowered, program, new Map(), wanted);
  // A block's rows are the elements of its column's parameter: forward mode moves one of them at a time.
  return parameters.flatMap((row, i) =>
    row.initial.map((_, k) =>
      parameters.flatMap((column, j) => {
        const block = blocks[i * ids.length + j]!;
        return column.initial.map((__, l) => block[l * row.initial.length + k]!);
      }),
    ),
  );
}

async function product(
  { model, lowered, energy, parameters }: Subject,
  vector: Float64Array,
  device: Device,
): Promise<number[]> {
  const ids = parameters.map(({ id }) => id);
  const program = withHessianProduct(lowered.program, energy, ids, { profile: profiles[device.kind] });
  let from = 0;
  const direction = new Map(
    parameters.map(({ id, initial }) => [tangentName(id), vector.subarray(from, (from += initial.length))] as const),
  );
  const parts = await runDerived(model, device, lowered, program, direction, ids.map(productName));
  return parts.flatMap((part) => Array.from(part));
}

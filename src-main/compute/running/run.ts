/** Runs what a model was lowered to on a device. */
import type { Device, HostArray, Instance, Program } from '../../../engine/index.ts';
import type { OdeDetail } from '../../../models/blocks/ode/infer.ts';
import type { Lowered } from '../../../models/lower/lower.ts';
import { outputAt, type Link } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import type { ArrayValue, RequestInput } from '../../contract/contract.ts';
import { Refused } from '../../refused.ts';

/** Parameter values by block: a number, or an array's elements in row-major order. */
export type ParameterValues = RequestInput<'model.evaluate'>['parameters'];

/** How many values a model's blocks hold together: the measure of the work that a GPU might do, which solves no equations. */
export function elementsOf(model: Model): number {
  if (isImplicit(model)) return 0;
  let elements = 0;
  for (const { outputs } of model.blocks.values())
    for (const { sizes } of outputs) elements += sizes.reduce((product, size) => product * size.value, 1);
  return elements;
}

/** Whether equations are solved in it: for unknowns, or for a steady state. */
function isImplicit({ blocks }: Model): boolean {
  return [...blocks.values()].some(
    ({ node, detail }) => node.block.kind === 'solve' || (node.block.kind === 'ode' && (detail as OdeDetail).steady),
  );
}

/** Loads and binds the program, its data written; `program` where it was derived from the lowered one. */
export async function startInstance(
  device: Device,
  lowered: Lowered,
  program: Program = lowered.program,
): Promise<Instance> {
  const varying = new Set(lowered.parameters.map(({ id }) => id));
  const executable = await device.load(program, { varying });
  const instance = await executable.bind(lowered.sizes);
  for (const [name, { values }] of lowered.inputs) instance.write(name, values);
  return instance;
}

/** Those that are not named take their initial values; a name that the program does not read is passed over. */
export function writeParameters(instance: Instance, lowered: Lowered, parameters: ParameterValues): void {
  for (const { id, initial } of lowered.parameters) {
    const given = Object.hasOwn(parameters, id) ? parameters[id] : undefined;
    const values = given === undefined ? initial : typeof given === 'number' ? [given] : given;
    if (values.length !== initial.length)
      throw new Refused(`the parameter "${id}" takes ${initial.length} values, got ${values.length}`);
    instance.write(id, values);
  }
}

/** A result with its shape; without a link that of the objective. */
export function arrayValue(model: Model, link: Link | undefined, values: HostArray): ArrayValue {
  const { element, sizes } = link ? outputAt(model, link) : ({ element: 'real', sizes: [] } as const);
  // No device hands out views of shared memory: what is read is a copy.
  return { element, shape: sizes.map((size) => size.value), values: values as ArrayValue['values'] };
}

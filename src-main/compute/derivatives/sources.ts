/** The blocks that derivatives are taken by, and numbers given for them as JSON. */
import { didYouMean } from '../../../models/notation/names.ts';
import { JsonError, parseJson, type Json } from '../../../models/notation/json.ts';
import { denseNumbers, isDocumentNumber, type Nested } from '../../../models/notation/numbers.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { Refused } from '../../refused.ts';

const sourceKinds: ReadonlySet<string> = new Set(['parameter', 'constant', 'column']);

export interface Source {
  readonly id: string;
  readonly shape: readonly number[];
}

/** A parameter (of a block that brings some too), constant or column of reals, by its id or a further name. Throws `Refused` for anything else. */
export function realSource(model: Model, name: string): Source {
  const id = model.blocks.has(name) ? name : (model.graph.names.get(name) ?? name);
  const parameter = parametersOf(model).find((each) => each.id === id);
  if (parameter) return { id, shape: parameter.shape };
  const checked = model.blocks.get(id);
  if (!checked) {
    const known = [
      ...[...model.blocks].flatMap(([other, { node }]) => (sourceKinds.has(node.block.kind) ? [other] : [])),
      ...parametersOf(model).map((each) => each.id),
    ];
    const fix = didYouMean(id, known);
    throw new Refused(`there is no block "${id}" to differentiate by${fix === undefined ? '' : ` (${fix})`}`);
  }
  const [output] = checked.outputs;
  if (!sourceKinds.has(checked.node.block.kind) || !output)
    throw new Refused(
      `"${id}" is a ${checked.node.block.kind} block: derivatives are taken by parameters, constants and columns`,
    );
  if (output.element !== 'real') throw new Refused(`"${id}" is ${output.element}: only real values have derivatives`);
  return { id, shape: output.sizes.map((size) => size.value) };
}

/** Parses an option's JSON. `what` names the option in the refusal. */
export function parseOption(text: string, what: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new Refused(`${what} is no JSON: ${error.message}`);
    throw error;
  }
}

const printShape = (shape: readonly number[]): string =>
  shape.length === 0 ? 'a number' : `shape [${shape.join(', ')}]`;

/** Numbers of a shape, row-major; throws `Refused` where the JSON is something else. `what` begins the sentence. */
export function numbersOfShape(json: unknown, shape: readonly number[], what: string): Float64Array {
  const isNested = (value: unknown): value is Nested =>
    Array.isArray(value) ? value.every(isNested) : isDocumentNumber(value);
  if (!isNested(json)) throw new Refused(`${what} wants numbers, ${printShape(shape)}`);
  const dense = denseNumbers(json);
  if (typeof dense === 'string') throw new Refused(`${what} is ${dense}`);
  const empty = dense.values.length === 0 && shape.includes(0);
  if (!empty && (dense.shape.length !== shape.length || dense.shape.some((size, axis) => size !== shape[axis])))
    throw new Refused(`${what} wants ${printShape(shape)}, got ${printShape(dense.shape)}`);
  return Float64Array.from(dense.values);
}

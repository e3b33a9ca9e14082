/**
 * The model as it is varied: parameters that have a support, or bounds that depend on others, are computed of free numbers,
 * which take their names and their places as inputs. Everything else is as it was, so that whatever varies parameters varies
 * these, and asks for the parameters themselves as for any other block.
 */
import { cpuDevice } from '../../engine/index.ts';
import type { ParameterDetail } from '../blocks/parameter.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import { asReal } from '../blocks/parts/convert.ts';
import { DocumentError, errorProblem } from '../notation/problem.ts';
import type { CheckedBlock } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { freeBetween } from '../supports/between.ts';
import { supports } from '../supports/index.ts';
import type { Support } from '../supports/support.ts';
import { Lowering } from '../graph/lowering.ts';

/** Parameters by block: a number, or an array's elements row by row. */
export type ParameterNumbers = Readonly<Record<string, number | readonly number[]>>;

/** Ids of those in whose place others are varied. */
export function freedIds({ blocks }: Pick<Model, 'blocks'>): string[] {
  return [...blocks].flatMap(([id, checked]) => {
    const info = infoOf(checked);
    return info?.support !== undefined && !info.fixed ? [id] : [];
  });
}

/** At these values of the parameters, the others at their initial ones. Throws `DocumentError` where one lies outside. */
export function freed(model: Model, at: ParameterNumbers = {}): Model {
  const ids = new Set(freedIds(model));
  if (ids.size === 0) return model;
  const blocks = new Map(
    [...model.blocks].map(([id, checked]): [string, CheckedBlock] => {
      if (!ids.has(id)) return [id, checked];
      const detail = checked.detail as ParameterDetail;
      return [id, { ...checked, detail: { ...detail, freed: freeInfo(model, detail.info, at) } }];
    }),
  );
  return { ...model, blocks };
}

function infoOf({ node, detail }: CheckedBlock): ParameterInfo | undefined {
  return node.block.kind === 'parameter' ? (detail as ParameterDetail).info : undefined;
}

function freeInfo(model: Model, info: ParameterInfo, at: ParameterNumbers): ParameterInfo {
  const { id } = info;
  const values = valuesAt(info, at);
  const wrong = (wanted: string): DocumentError =>
    new DocumentError([errorProblem(`block "${id}": its values want ${wanted}`, { block: id, port: 'initial' })]);
  const [shape, found] =
    info.support === undefined || info.support === 'between'
      ? [info.shape, betweenBounds(model, info, values, at)]
      : [supports[info.support].free(info.shape), supports[info.support].toFree(values, info.shape)];
  if (typeof found === 'string') throw wrong(found);
  if (typeof shape === 'string') throw wrong(shape);
  const support: Partial<Support> = info.support && info.support !== 'between' ? supports[info.support] : {};
  const { end = Infinity, edge, ascending, words } = support;
  // Where it begins says how large a number is. Logarithms of ratios are about 1, and of equal shares nothing but rounding is left.
  const initial = edge === undefined ? found : found.map((v) => (Math.abs(v) < 1e-13 ? 0 : v));
  const open = (bound: number): number[] => found.map(() => bound);
  // Of a bound on one side the distance from it is varied.
  const isGap =
    info.support === 'between' && [info.between?.lower ?? info.lower, info.between?.upper ?? info.upper].some(isOpen);
  return {
    ...{ ...info, shape, initial, upper: open(end) },
    lower: open(isGap ? 0 : -end).map((bound, i) => (ascending && i % shape.at(-1)! > 0 ? 0 : bound)),
    ...{
      scale: 'linear',
      labels: undefined,
      freed: true,
      ...(isGap && { gap: true }),
      ...(edge && { edge }),
      ...(words && { words: words(id, info.shape) }),
      ...(ascending && { ascending }),
    },
  };
}

const isOpen = (bound: string | readonly number[]): boolean =>
  typeof bound !== 'string' && bound.every((end) => !Number.isFinite(end));

function valuesAt({ id, initial }: ParameterInfo, at: ParameterNumbers): readonly number[] {
  const given = Object.hasOwn(at, id) ? at[id] : undefined;
  if (given === undefined) return initial;
  return typeof given === 'number' ? [given] : given;
}

function betweenBounds(
  model: Model,
  info: ParameterInfo,
  values: readonly number[],
  at: ParameterNumbers,
): number[] | string {
  const bounds = { lower: info.lower, upper: info.upper, ...boundsAt(model, info, at) };
  const free = values.map((x, i) => freeBetween(x, bounds.lower[i]!, bounds.upper[i]!));
  const out = free.findIndex((v) => !Number.isFinite(v));
  return out < 0 ? free : `a number between ${bounds.lower[out]} and ${bounds.upper[out]}, got ${values[out]}`;
}

/** The bounds that depend on parameters, at these. */
function boundsAt(
  model: Model,
  { id, shape, between = {} }: ParameterInfo,
  at: ParameterNumbers,
): Partial<Record<'lower' | 'upper', readonly number[]>> {
  const lowering = new Lowering(model.blocks);
  const { links } = model.blocks.get(id)!;
  const ports = Object.keys(between);
  lowering.lowerBlocks(ports.flatMap((port) => links.get(port)?.block ?? []));
  const context = lowering.context(id, links);
  const b = lowering.builder;
  const program = b.finish(ports.map((name) => ({ name, value: b.replicate(asReal(b, context.input(name)), shape) })));
  const device = cpuDevice();
  try {
    const instance = device.load(program).bind(lowering.sizes.binding());
    for (const [name, { values }] of lowering.inputs) {
      const checked = model.blocks.get(name);
      const info = checked && infoOf(checked);
      instance.write(name, info ? valuesAt(info, at) : values);
    }
    instance.run();
    return Object.fromEntries(ports.map((port) => [port, Array.from(instance.read(port))]));
  } finally {
    device.close();
  }
}

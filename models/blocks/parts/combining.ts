/** What reduce, scan and histogram share: an operator on a tuple, one component for each of `values`. */
import { componentTypes, type ElementType, type Operator, type Value } from '../../../engine/index.ts';
import { isIdentifier } from '../../notation/names.ts';
import { characterPlace } from '../../notation/problem.ts';
import { loadOperator } from '../../operators/load.ts';
import type { DocumentOperator } from '../../operators/schema.ts';
import { axisOf } from './axis.ts';
import { asElement } from './convert.ts';
import { largestInt, rangeOf, wraps, type IntRange } from './int-range.ts';
import type { BlockBase, InferContext, LowerContext, Output, Sizes } from '../kind.ts';
import { listPorts } from './lists.ts';
import { disagreement } from './disagreement.ts';
import { broadcastSizes } from './sizes.ts';

export interface CombiningBlock extends BlockBase {
  readonly operator: DocumentOperator;
  readonly values: string | readonly string[];
  readonly outputs?: readonly string[];
}

/** The operator for these values, its laws tested. `elements` may be changed by it: see `componentTypes`. */
export function operatorOf(
  block: CombiningBlock,
  context: InferContext,
  elements: readonly ElementType[],
  commutative: boolean,
): Operator | undefined {
  const result = loadOperator(block.operator, elements, { needsCommutative: commutative });
  if (result.ok) {
    for (const warning of result.warnings) context.warn(`its operator: ${warning}`, { port: 'operator' });
    return result.operator;
  }
  for (const { message, key, span } of result.errors)
    context.fail(`its operator: ${message}`, {
      port: key === '' ? 'operator' : `operator.${key}`,
      ...(span && { span: [span[0], span[1]], place: characterPlace(formulaAt(block.operator, key), span[0]) }),
    });
  return undefined;
}

/** `key` as in `OperatorError`: `lift.operator.result[1]` */
function formulaAt(operator: unknown, key: string): string {
  const at = (key.match(/\w+/g) ?? []).reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    operator,
  );
  return typeof at === 'string' ? at : '';
}

/** The block's `values`, numbers or bools; undefined if one of them is at fault. */
export function valuesOf(block: CombiningBlock, context: InferContext): Output[] | undefined {
  return context.inputs(listPorts('values', block.values));
}

/** One output for each component: `0`, `1`, … unless they are named, and no name for the only one. */
export function componentOutputs(
  block: CombiningBlock,
  context: InferContext,
  operator: Operator,
  sizes: Sizes,
  computed: boolean,
): Output[] | undefined {
  const types = componentTypes(operator);
  const names = block.outputs;
  if (names) {
    if (names.length !== types.length)
      return context.fail(`"outputs" names ${names.length} of the ${types.length} components`, {
        port: 'outputs',
        wanted: `${types.length} names`,
        got: `${names.length}`,
      });
    const odd = names.find((name, i) => !isIdentifier(name) || names.indexOf(name) !== i);
    if (odd !== undefined)
      return context.fail(`"outputs" wants different names of letters, digits and _, got ${JSON.stringify(odd)}`, {
        port: 'outputs',
      });
  }
  const unit = keepsUnit(block.operator) ? context.input('values')?.unit : undefined;
  return types.map((element, i) => ({
    name: names?.[i] ?? (types.length === 1 ? '' : `${i}`),
    element,
    sizes,
    computed,
    ...(unit !== undefined && { unit }),
  }));
}

function keepsUnit(operator: DocumentOperator): boolean {
  return operator === 'add' || operator === 'min' || operator === 'max';
}

/** What reduce and scan do alike: the domain of their values, the axis, the operator on it. */
export interface AlongAxis {
  readonly operator: Operator;
  readonly domain: Sizes;
  readonly axis: number;
}

export function alongAxis(
  block: CombiningBlock & { readonly axis?: number },
  context: InferContext,
  sizesOf: (domain: Sizes, axis: number) => Sizes,
): { readonly outputs: Output[]; readonly detail: AlongAxis } | undefined {
  const values = valuesOf(block, context);
  const [first] = values ?? [];
  if (!values || !first) return undefined;
  const domain = broadcastSizes(values.map((value) => value.sizes));
  if (!domain) return context.fail(...disagreement(listPorts('values', block.values), values));
  const axis = axisOf(context, block, { ...first, sizes: domain });
  const operator = operatorOf(
    block,
    context,
    values.map((value) => value.element),
    false,
  );
  if (axis === undefined || !operator) return undefined;
  const computed = values.some((value) => value.computed);
  const outputs = componentOutputs(block, context, operator, sizesOf(domain, axis), computed);
  const count = domain[axis]?.value ?? 0;
  return outputs && { outputs: withRange(block, context, outputs, values, count), detail: { operator, domain, axis } };
}

/** The block's `values` in the types of the operator's components. */
export function componentValues(block: CombiningBlock, context: LowerContext, operator: Operator): Value[] {
  const types = componentTypes(operator);
  return listPorts('values', block.values).map((port, i) => asElement(context.builder, context.input(port), types[i]!));
}

/** Warns where `count` whole numbers, combined, can leave the 32 bits of an int. */
export function withRange(
  block: CombiningBlock,
  context: InferContext,
  outputs: Output[],
  values: readonly Output[],
  count: number,
): Output[] {
  const [output] = outputs;
  const range = values[0] && rangeOf(values[0]);
  if (output?.element !== 'int' || !range) return outputs;
  const combined = combinedRange(block.operator, range, count);
  if (!combined) return outputs;
  if (!wraps(combined)) return [{ ...output, range: combined }];
  const reach = Math.max(-combined[0], combined[1]);
  context.warn(`its whole numbers can reach ${reach.toPrecision(3)}, and an int wraps beyond ${largestInt}`, {
    port: 'values',
    fix: 'make the values real: real(x)',
  });
  return outputs;
}

/** Of partial results too, which a scan gives and a reduction goes through. */
function combinedRange(operator: DocumentOperator, [low, high]: IntRange, count: number): IntRange | undefined {
  if (operator === 'add') return [Math.min(0, low) * count, Math.max(0, high) * count];
  if (operator !== 'multiply') return undefined;
  const size = Math.max(1, Math.abs(low), Math.abs(high)) ** count;
  return [low < 0 ? -size : Math.min(low, 1), size];
}

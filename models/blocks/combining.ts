/** What reduce, scan and histogram share: an operator on a tuple, one component for each of `values`. */
import { componentTypes, type Operator } from '../../engine/0-ir/operators.ts';
import type { ElementType } from '../../engine/0-ir/types.ts';
import { asList } from '../format/fields.ts';
import { isIdentifier } from '../format/names.ts';
import { loadOperator } from '../operators/load.ts';
import type { DocumentOperator } from '../operators/schema.ts';
import type { BlockBase, InferContext, Output, Sizes } from './kind.ts';
import { listPorts } from './lists.ts';

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
      ...(span && { span: [span[0], span[1]] }),
    });
  return undefined;
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
  return types.map((element, i) => ({
    name: names?.[i] ?? (types.length === 1 ? '' : `${i}`),
    element,
    sizes,
    computed,
  }));
}

/** Warns where whole numbers that are data can leave the 32 bits of an int on their way. */
export function warnOverflow(
  block: CombiningBlock,
  context: InferContext,
  operator: Operator,
  values: readonly Output[],
): void {
  const [first] = values;
  if (componentTypes(operator)[0] !== 'int' || !first?.data) return;
  let size = block.operator === 'multiply' ? 1 : 0;
  for (const x of first.data) {
    if (block.operator === 'add') size += Math.abs(x);
    else if (block.operator === 'multiply') size *= Math.max(1, Math.abs(x));
  }
  if (size > 2147483647)
    context.warn(`its whole numbers can reach ${size.toPrecision(3)}, and an int wraps at 2147483648`, {
      port: 'values',
      fix: `take the column as "real": ${asList(block.values).join(', ')}`,
    });
}

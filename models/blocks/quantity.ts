/**
 * A number that the model is asked for beside its parameters: a half-life, a ratio, an area. It is computed as a map is, has
 * an interval of its own in every study of uncertainty, and changes no fit.
 */
import * as v from 'valibot';
import { common, formula, named, ref, strict } from '../notation/fields.ts';
import { formulaPorts } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import { asReal } from './parts/convert.ts';
import { formulaWires } from './parts/formulas.ts';
import { blockKind, type Wire } from './kind.ts';
import { map, type MapBlock } from './map.ts';
import { printOutput } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('quantity'),
  ...common,
  formula,
  inputs: v.exactOptional(named(ref, 'references by port')),
});

export type QuantityBlock = v.InferOutput<typeof schema>;

const wiresOf = (block: QuantityBlock): Wire[] => formulaWires([['', block.formula]], block.inputs);

type Detail = Parameters<typeof map.lower>[1];

export const quantity = blockKind<QuantityBlock, Detail>({
  kind: 'quantity',
  schema,
  wires: wiresOf,

  infer(block, context) {
    const parsed = parseFormula(block.formula);
    const whole = new Set(
      parsed.ok ? formulaPorts([parsed.formula]).flatMap((port) => (port.kind === 'name' ? [port.name] : [])) : [],
    );
    for (const { port } of wiresOf(block)) {
      if (!whole.has(port)) continue;
      const input = context.input(port);
      if (!input || input.parameter === true || input.sizes.length === 0) continue;
      return context.fail(`wants parameters and scalars, and "${port}" is ${printOutput(input)}`, {
        port,
        wanted: 'a parameter or a scalar',
        got: printOutput(input),
        fix: `take one element, as ${port}[0], or its sum by "reduce"`,
      });
    }
    const found = map.infer(asMap(block), context);
    const [output] = found?.outputs ?? [];
    if (!found || !output) return undefined;
    if (output.element === 'bool')
      return context.fail('wants a number, and its formula is true or false', { port: 'formula', fix: 'if(…, 1, 0)' });
    const { whole: _, range: __, ...real } = { ...output, element: 'real' as const };
    const labels = [...whole].map((port) => context.input(port)?.labels).find((each) => each !== undefined);
    return { outputs: [{ ...real, ...(labels && output.sizes.length === 1 && { labels }) }], detail: found.detail };
  },

  lower: (block, detail, context) =>
    map.lower(asMap(block), detail, context).map((value) => asReal(context.builder, value)),
});

const asMap = (block: QuantityBlock): MapBlock => ({ ...block, kind: 'map' });

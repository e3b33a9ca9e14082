import * as v from 'valibot';
import { common, formula, named, ref, strict } from '../notation/fields.ts';
import { isIdentifier } from '../notation/names.ts';
import type { Port } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import { formulaUnit, isConversion } from '../units/formula-units.ts';
import { parseUnit, printUnit, sameUnit } from '../units/unit.ts';
import { disagreement } from './parts/disagreement.ts';
import {
  checkElements,
  checkInputNames,
  compile,
  formulaWires,
  isWhole,
  portValues,
  type CompiledFormulas,
  type Formulas,
} from './parts/formulas.ts';
import { functionRange, largestInt, rangeOf, type IntRange } from './parts/int-range.ts';
import { blockKind, type InferContext, type Output, type Sizes } from './kind.ts';
import { broadcastSizes } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('map'),
  ...common,
  formula: v.exactOptional(formula),
  outputs: v.exactOptional(named(formula, 'formulas by the name of their output')),
  inputs: v.exactOptional(named(ref, 'references by port')),
});

export type MapBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly compiled: CompiledFormulas;
  readonly sizes: Sizes;
}

export const map = blockKind<MapBlock, Detail>({
  kind: 'map',
  schema,
  wires: (block) => formulaWires(formulasOf(block), block.inputs),

  infer(block, context) {
    const formulas = formulasOf(block);
    if ((block.formula === undefined) === (block.outputs === undefined) || formulas.length === 0)
      return context.fail('wants either "formula" or "outputs"', { port: 'formula' });
    const odd = formulas.find(([output]) => output !== '' && !isIdentifier(output));
    if (odd)
      return context.fail(`an output wants ${identifierText}, got ${JSON.stringify(odd[0])}`, { port: 'outputs' });
    checkInputNames(context, formulas, block.inputs);
    const typeOf = (name: string) => context.input(name)?.element;
    const compiled = compile(
      context,
      formulas.map(([output, text]) => ({ output, text })),
      typeOf,
      true,
    );
    if (!compiled || !checkElements(context, compiled.ports)) return undefined;

    // length(x) alone takes nothing of x but its length, so x does not enter the domain by it.
    const elements = compiled.ports.flatMap((port) => (port.kind === 'name' ? [port.name] : []));
    const inputs = context.inputs(elements);
    const measured = compiled.ports.flatMap((port) => (port.kind === 'length' ? [port.name] : []));
    if (!inputs || !context.inputs(measured)) return undefined;
    const scalar = measured.find((name) => context.input(name)?.sizes.length === 0);
    if (scalar !== undefined) return context.fail(`length(${scalar}) wants an array, got a scalar`, { port: scalar });
    const sizes = broadcastSizes(inputs.map((input) => input.sizes));
    if (!sizes) return context.fail(...disagreement(elements, inputs));
    if (sizes.length === 0 && compiled.ports.some((port) => port.kind === 'index'))
      return context.fail('index wants an array among the inputs, and all are scalars', { fix: 'use a "range" block' });

    const single = compiled.ports.flatMap((port) => (port.kind === 'element' ? (context.input(port.name) ?? []) : []));
    const computed = [...inputs, ...single].some((input) => input.computed);
    const ranges = functionRange(compiled.function, portRanges(context, compiled.ports, sizes));
    if (ranges.wrapped)
      context.warn(
        `its whole numbers can reach ${farther(ranges.wrapped).toPrecision(3)}, and an int wraps beyond ${largestInt}`,
        {
          fix: 'make one of them real: real(x)',
        },
      );
    const outputs = formulas.map(([name, text], i): Output => {
      const element = compiled.results[i]!;
      const whole = element === 'real' && compiled.mayBeInt[i] === true && isWhole(text, typeOf);
      const range = ranges.results[i];
      const unit = unitOf(block, context, name, text);
      return {
        name,
        element,
        sizes,
        computed,
        ...(whole && { whole }),
        ...(range && { range }),
        ...(unit !== undefined && { unit }),
      };
    });
    return { outputs, detail: { compiled, sizes } };
  },

  lower(_, { compiled, sizes }, context) {
    const lengthOf = (name: string) => context.output(name).sizes[0]!;
    const inputs = portValues(context, compiled.ports, sizes, (name) => context.input(name), lengthOf);
    return context.builder.map(compiled.function, inputs, context.shape(sizes));
  },
});

/** As far as the units of the inputs tell; warns of what does not go together, and of a block that says otherwise. */
function unitOf(block: MapBlock, context: InferContext, output: string, text: string): string | undefined {
  const parsed = parseFormula(text);
  if (!parsed.ok) return undefined;
  const found = formulaUnit(parsed.formula, (name) => parseUnit(context.input(name)?.unit));
  const place = output === '' ? {} : { output };
  for (const { message, from, to } of found.faults)
    context.warn(output === '' ? message : `"${output}": ${message}`, { ...place, span: [from, to] });
  const said = parseUnit(block.unit);
  if (!found.unit) return undefined;
  if (said && !sameUnit(found.unit, said) && !isConversion(parsed.formula, found.unit, said))
    context.warn(`its unit is "${block.unit}", and by its inputs it is in ${printUnit(found.unit)}`, { port: 'unit' });
  return printUnit(found.unit);
}

function portRanges(context: InferContext, ports: readonly Port[], sizes: Sizes): (IntRange | undefined)[] {
  return ports.map((port) => {
    if (port.kind === 'index') return [0, Math.max(0, (sizes[0]?.value ?? 1) - 1)];
    const input = context.input(port.name);
    if (port.kind === 'name' || port.kind === 'element') return input && rangeOf(input);
    const length = input?.sizes[0]?.value ?? 0;
    return [length, length];
  });
}

function farther([low, high]: IntRange): number {
  return Math.max(-low, high);
}

const identifierText = 'a name of letters, digits and _';

function formulasOf(block: MapBlock): Formulas {
  if (block.outputs !== undefined) return Object.entries(block.outputs);
  return block.formula === undefined ? [] : [['', block.formula]];
}

/** Formulas in blocks: the wires that they take, and compiling them with errors placed. */
import type { ElementType, ScalarFunction, Value } from '../../../engine/index.ts';
import { compileFormulas, hasNoRealPart, type FormulaSource } from '../../formula/compile.ts';
import { characterPlace } from '../../notation/problem.ts';
import { elementText, firstUses, freeNames, isReservedName, type Port } from '../../formula/names.ts';
import { parseFormula } from '../../formula/parse.ts';
import type { AxisSize, InferContext, LowerContext, Output, Sizes, Wire } from '../kind.ts';
import { lookAtCodes } from './codes.ts';
import { printOutput } from './sizes.ts';

/** Output's name → its formula. */
export type Formulas = readonly (readonly [output: string, text: string])[];

type PortReferences = Readonly<Record<string, string>>;

/** `own` are names that the block itself gives a meaning, such as states. A formula with a syntax error has no wires. */
export function formulaWires(
  formulas: Formulas,
  inputs: PortReferences = {},
  own: ReadonlySet<string> = new Set(),
): Wire[] {
  const wires = new Map<string, Wire>();
  for (const [output, text] of formulas) {
    const parsed = parseFormula(text);
    if (!parsed.ok) continue;
    for (const [name, { from, to }] of firstUses(parsed.formula)) {
      if (own.has(name) || wires.has(name)) continue;
      if (Object.hasOwn(inputs, name)) wires.set(name, { port: name, ref: inputs[name]! });
      else wires.set(name, { port: name, ref: name, span: [from, to], implicit: true, output });
    }
  }
  return [...wires.values()];
}

/** Reports inputs that no formula uses, and ports that no formula can name. */
export function checkInputNames(context: InferContext, formulas: Formulas, inputs: PortReferences = {}): void {
  const ports = Object.keys(inputs);
  if (ports.length === 0) return;
  const parsed = formulas.map(([, text]) => parseFormula(text));
  if (parsed.some((result) => !result.ok)) return;
  const used = new Set(parsed.flatMap((result) => (result.ok ? freeNames(result.formula) : [])));
  for (const port of ports) {
    if (isReservedName(port)) context.fail(`"inputs" names a port "${port}", which is reserved in formulas`, { port });
    else if (!used.has(port)) context.warn(`no formula uses the input "${port}"`, { port });
  }
}

export interface CompiledFormulas {
  readonly function: ScalarFunction;
  readonly ports: readonly Port[];
  readonly results: readonly ElementType[];
}

interface CompiledTexts extends CompiledFormulas {
  /** Of each result, whether nothing in its formula can only be real. */
  readonly mayBeInt: readonly boolean[];
}

/** `hasElements`: whether they may name one element of an input. Reports each formula's error at its characters, and returns undefined. */
export function compile(
  context: InferContext,
  formulas: readonly FormulaSource[],
  typeOf: (name: string) => ElementType | undefined,
  hasElements = false,
): CompiledTexts | undefined {
  const result = compileFormulas(formulas, typeOf, { known: context.names(), hasElements });
  if (result.ok) {
    const named = result.ports.some((port) => port.kind === 'name' && context.input(port.name)?.category);
    if (named) lookAtCodes(context, formulas, result.results);
    return result;
  }
  for (const { message, output, from, to } of result.errors) {
    const text = formulas.find((formula) => formula.output === output)?.text ?? '';
    context.fail(output === '' ? message : `"${output}": ${message}`, {
      ...(output !== '' && { output }),
      span: [from, to],
      place: characterPlace(text, from),
    });
  }
  return undefined;
}

/** Where the element that a formula names stands; −1 of a label that there is not. */
const placeOf = (at: number | string, { labels }: Output): number =>
  typeof at === 'number' ? at : (labels?.indexOf(at) ?? -1);

/** Reports, and returns false, where a formula names an element that its input does not have. */
export function checkElements(context: InferContext, ports: readonly Port[]): boolean {
  return ports.every((port) => {
    const input = port.kind === 'element' ? context.input(port.name) : undefined;
    if (port.kind !== 'element' || !input) return port.kind !== 'element';
    const written = elementText(port);
    const fail = (message: string, got: string): boolean => {
      context.fail(message, { port: port.name, got });
      return false;
    };
    if (input.sizes.length !== 1)
      return fail(`${written} wants "${port.name}" to be a list, got ${printOutput(input)}`, printOutput(input));
    if (placeOf(port.at, input) >= 0 && placeOf(port.at, input) < input.sizes[0]!.value) return true;
    const { labels = [] } = input;
    const shown = `${labels
      .slice(0, 8)
      .map((label) => JSON.stringify(label))
      .join(', ')}${labels.length > 8 ? ', …' : ''}`;
    if (typeof port.at === 'number')
      return fail(
        `${written} is no element: those of "${port.name}" are 0 to ${input.sizes[0]!.value - 1}`,
        String(port.at),
      );
    return labels.length === 0
      ? fail(`"${port.name}" has no labels: write ${port.name}[0] for the first of its elements`, port.at)
      : fail(`"${port.name}" has no label ${JSON.stringify(port.at)}: it has ${shown}`, port.at);
  });
}

/** Whether a formula gives whole numbers where they are wanted, though by itself it is real. */
export function isWhole(text: string, typeOf: (name: string) => ElementType | undefined): boolean {
  const parsed = parseFormula(text);
  // Most formulas are real, and that is told without compiling them again.
  if (!parsed.ok || !hasNoRealPart(parsed.formula, typeOf)) return false;
  return compileFormulas([{ output: '', text, want: 'int' }], typeOf, { hasElements: true }).ok;
}

/** What the ports of a formula stand for over a domain; `named` gives the values of names. */
export function portValues(
  context: LowerContext,
  ports: readonly Port[],
  domain: Sizes,
  named: (name: string) => Value,
  lengthOf: (name: string) => AxisSize,
): Value[] {
  return ports.map((port) => {
    if (port.kind === 'name') return named(port.name);
    if (port.kind === 'element') {
      const at = placeOf(port.at, context.output(port.name));
      return context.builder.gather(named(port.name), context.builder.literal(at, 'int'), 'fault');
    }
    if (port.kind === 'length') return context.extent(lengthOf(port.name));
    const rows = context.index(domain[0]!);
    return context.builder.reshape(rows, [rows.type.shape[0] as never, ...domain.slice(1).map(() => 1)]);
  });
}

/** Formulas in blocks: the wires that they take, and compiling them with errors placed. */
import type { ElementType, ScalarFunction, Value } from '../../../engine/index.ts';
import { compileFormulas, hasNoRealPart, type FormulaSource } from '../../formula/compile.ts';
import { characterPlace } from '../../notation/problem.ts';
import { firstUses, freeNames, isReservedName, type Port } from '../../formula/names.ts';
import { parseFormula } from '../../formula/parse.ts';
import type { AxisSize, InferContext, LowerContext, Sizes, Wire } from '../kind.ts';
import { lookAtCodes } from './codes.ts';

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

/** Reports each formula's error at its characters, and returns undefined. */
export function compile(
  context: InferContext,
  formulas: readonly FormulaSource[],
  typeOf: (name: string) => ElementType | undefined,
): CompiledTexts | undefined {
  const result = compileFormulas(formulas, typeOf, { known: context.names() });
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

/** Whether a formula gives whole numbers where they are wanted, though by itself it is real. */
export function isWhole(text: string, typeOf: (name: string) => ElementType | undefined): boolean {
  const parsed = parseFormula(text);
  // Most formulas are real, and that is told without compiling them again.
  if (!parsed.ok || !hasNoRealPart(parsed.formula, typeOf)) return false;
  return compileFormulas([{ output: '', text, want: 'int' }], typeOf).ok;
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
    if (port.kind === 'length') return context.extent(lengthOf(port.name));
    const rows = context.builder.iota(context.size(domain[0]!));
    return context.builder.reshape(rows, [rows.type.shape[0] as never, ...domain.slice(1).map(() => 1)]);
  });
}

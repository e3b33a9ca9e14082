/**
 * Formulas to one scalar function.
 */
import {
  type ElementType,
  resultTypes,
  ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../engine/index.ts';
import { elaborate } from './elaborate.ts';
import { emitFormula } from './emit.ts';
import { Inference } from './infer.ts';
import { formulaPorts, portKey, type Port } from './names.ts';
import { parseFormula } from './parse.ts';
import { formulaScope } from './scope.ts';
import { FormulaFault, type Formula, type FormulaError } from './syntax.ts';
import type { TypedFormula } from './typed.ts';

export interface FormulaSource {
  /** The output's name, which errors carry. */
  readonly output: string;
  readonly text: string;
  /** The type that the output must have; its own where nothing is wanted. With `int`, floor and its like give int. */
  readonly want?: ElementType;
}

export interface CompileOptions {
  /** Names to compare a misspelt one with. */
  readonly known?: readonly string[];
  /** Whether a formula may name one element of an input: `k[2]`. */
  readonly hasElements?: boolean;
}

export type CompileResult =
  | {
      readonly ok: true;
      /** Its parameters are the ports, in their order; `index` and `length` are int. Its results are the outputs. */
      readonly function: ScalarFunction;
      readonly ports: readonly Port[];
      readonly results: readonly ElementType[];
      /** Of each result, whether nothing in its formula can only be real. */
      readonly mayBeInt: readonly boolean[];
    }
  | { readonly ok: false; readonly errors: readonly (FormulaError & { readonly output: string })[] };

/** `typeOf` gives the element type of an input, or undefined for a name that is none. At most one error a formula. */
export function compileFormulas(
  sources: readonly FormulaSource[],
  typeOf: (name: string) => ElementType | undefined,
  options: CompileOptions = {},
): CompileResult {
  const errors: (FormulaError & { output: string })[] = [];
  const formulas: { source: FormulaSource; formula: Formula; typed: TypedFormula }[] = [];
  for (const source of sources) {
    const outcome = elaborated(source, typeOf, options);
    if ('error' in outcome) errors.push({ output: source.output, ...outcome.error });
    else formulas.push({ source, ...outcome });
  }
  if (errors.length > 0) return { ok: false, errors };

  const builder = new ScalarBuilder();
  const ports = formulaPorts(formulas.map(({ formula }) => formula));
  const parameters = ports.map((port) =>
    builder.variable(port.kind === 'name' || port.kind === 'element' ? (typeOf(port.name) ?? 'real') : 'int'),
  );
  const operands = new Map<string, ScalarOperand>();
  ports.forEach((port, i) => parameters[i] && operands.set(portKey(port), parameters[i]));
  const body = builder.block(() =>
    formulas.flatMap(({ source, typed }) => {
      const emitted = caught(() => emitFormula(builder, typed, operands, { from: 0, to: source.text.length }));
      if (!('error' in emitted)) return [emitted.value];
      errors.push({ output: source.output, ...emitted.error });
      return [];
    }),
  );
  if (errors.length > 0) return { ok: false, errors };
  const fn = { parameters, body };
  const mayBeInt = formulas.map(({ typed }) => typed.realPart === undefined);
  return { ok: true, function: fn, ports, results: resultTypes(fn), mayBeInt };
}

/** Whether nothing in a formula can only be real: it may then be compiled where an int is wanted. */
export function hasNoRealPart(
  { definitions, result }: Formula,
  typeOf: (name: string) => ElementType | undefined,
): boolean {
  const found = caught(() => new Inference(formulaScope({ definitions, result }, typeOf, [], true)).of(result));
  return !('error' in found) && found.value.realPart === undefined;
}

function elaborated(
  source: FormulaSource,
  typeOf: (name: string) => ElementType | undefined,
  { known = [], hasElements = false }: CompileOptions,
): { formula: Formula; typed: TypedFormula } | { error: FormulaError } {
  const parsed = parseFormula(source.text);
  if (!parsed.ok) return { error: parsed.error };
  const { formula } = parsed;
  const typed = caught(() => elaborate(formula, formulaScope(formula, typeOf, known, hasElements), source.want));
  return 'error' in typed ? typed : { formula, typed: typed.value };
}

function caught<T>(work: () => T): { value: T } | { error: FormulaError } {
  try {
    return { value: work() };
  } catch (fault) {
    if (fault instanceof FormulaFault) return { error: fault.error };
    throw fault;
  }
}

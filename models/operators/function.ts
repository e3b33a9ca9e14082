/**
 * Formulas over an operator's arguments, as one scalar function of those arguments in their order.
 */
import { type ElementType, scalarFunction, type ScalarFunction } from '../../engine/index.ts';
import { compileFormulas } from '../formula/compile.ts';
import { constantValue } from '../formula/constants.ts';
import { isFunctionName } from '../formula/functions.ts';
import { parseFormula } from '../formula/parse.ts';
import { suggestion } from '../formula/suggest.ts';
import { walk, type Formula } from '../formula/syntax.ts';
import { OperatorFault } from './fault.ts';

/** The arguments, and their types. */
export interface Arguments {
  readonly names: readonly string[];
  readonly types: readonly ElementType[];
}

/** Result i has the type `wants[i]`, or its own where nothing is wanted. `key` is where the formulas stand. Throws an OperatorFault. */
export function operatorFunction(
  { names, types }: Arguments,
  formulas: readonly string[],
  wants: readonly (ElementType | undefined)[],
  key: string,
): ScalarFunction {
  const typeOf = new Map(names.map((name, i) => [name, types[i]]));
  const sources = formulas.map((text, i) => ({ output: `${key}[${i}]`, text, ...(wants[i] && { want: wants[i] }) }));
  for (const { text, output } of sources) checkFreeNames(text, names, output);
  const compiled = compileFormulas(sources, (name) => typeOf.get(name), { known: names });
  const [error] = compiled.ok ? [] : compiled.errors;
  if (error) throw new OperatorFault(`${error.output}: ${error.message}`, error.output, [error.from, error.to]);
  if (!compiled.ok) throw new Error('formulas were refused without an error');
  return scalarFunction(types, (builder, ...variables) => {
    const operands = compiled.ports.map((port) => {
      const operand = port.kind === 'name' ? variables[names.indexOf(port.name)] : undefined;
      if (!operand) throw new Error('an operator was compiled with a port that is none of its arguments');
      return operand;
    });
    return builder.inline(compiled.function, operands);
  });
}

/** Whether a formula can have the type `want`. */
export function canBe({ names, types }: Arguments, text: string, want: ElementType): boolean {
  const typeOf = new Map(names.map((name, i) => [name, types[i]]));
  return compileFormulas([{ output: '', text, want }], (name) => typeOf.get(name)).ok;
}

/**
 * An operator is a function of its arguments alone: it is applied in any grouping and on any device, and what it took
 * from elsewhere would get no derivative.
 */
function checkFreeNames(text: string, names: readonly string[], key: string): void {
  const parsed = parseFormula(text);
  if (!parsed.ok) return;
  const own = new Set([...names, ...parsed.formula.definitions.map((definition) => definition.name)]);
  for (const node of nodesOf(parsed.formula)) {
    const span = [node.from, node.to] as const;
    if (node.kind === 'call' && node.name === 'length')
      throw new OperatorFault(`${key}: an operator combines two elements and knows no length`, key, span);
    if (node.kind !== 'name' || own.has(node.name) || constantValue(node.name) !== undefined) continue;
    if (isFunctionName(node.name)) continue;
    throw new OperatorFault(`${key}: ${foreignName(node.name, names)}`, key, span);
  }
}

function* nodesOf({ definitions, result }: Formula) {
  for (const { value } of definitions) yield* walk(value);
  yield* walk(result);
}

function foreignName(name: string, names: readonly string[]): string {
  const wanted = `an operator may use no name but its arguments (${names.join(', ')}), and '${name}' is none`;
  const nearest = suggestion(name, names);
  return wanted + (nearest || ': to use it, pass it as one more of "values" and carry it as one more component');
}

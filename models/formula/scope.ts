/**
 * What each name in a formula stands for.
 */
import type { ElementType } from '../../engine/index.ts';
import { constantValue } from './constants.ts';
import { functionNamed } from './functions.ts';
import { isReservedName, type Port } from './names.ts';
import { suggestion } from './suggest.ts';
import { FormulaFault, walk, type Definition, type ExpressionOf, type Formula, type Span } from './syntax.ts';

export type Meaning =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'definition'; readonly definition: Definition }
  | { readonly kind: 'port'; readonly port: Port; readonly type: ElementType };

export interface Scope {
  /** Throws a FormulaFault for a name that stands for nothing. */
  name(name: string, at: Span): Meaning;
  /** Throws a FormulaFault where a formula has no elements of inputs, or the name is no input. */
  element(of: ExpressionOf<'element'>): Meaning & { readonly kind: 'port' };
  /** The input that `length(name)` measures. */
  measured(name: string, at: Span): Port;
}

/** `known` is what a misspelt name is compared with. */
export function formulaScope(
  formula: Formula,
  typeOf: (name: string) => ElementType | undefined,
  known: readonly string[],
  hasElements = false,
): Scope {
  const definitions = checkedDefinitions(formula);
  const input = (name: string, at: Span): ElementType => {
    const type = typeOf(name);
    if (type) return type;
    if (functionNamed(name)) throw new FormulaFault(`'${name}' is a function: write ${name}(…)`, at);
    const nearby = suggestion(name, [...known, ...definitions.keys(), 'pi', 'inf', 'nan', 'index']);
    throw new FormulaFault(`'${name}' is not known here${nearby}`, at);
  };
  return {
    name(name, at) {
      const value = constantValue(name);
      if (value !== undefined) return { kind: 'constant', value };
      if (name === 'index') return { kind: 'port', port: { kind: 'index' }, type: 'int' };
      const definition = definitions.get(name);
      if (definition) return { kind: 'definition', definition };
      return { kind: 'port', port: { kind: 'name', name }, type: input(name, at) };
    },
    element({ name, nameSpan, at, ...span }) {
      if (definitions.has(name) || isReservedName(name))
        throw new FormulaFault(`an element is taken of an input, and '${name}' is none`, nameSpan);
      const type = input(name, nameSpan);
      if (!hasElements)
        throw new FormulaFault(
          `a formula here has one element of '${name}' at a time: take this one by a quantity, a map or a gather block`,
          span,
        );
      return { kind: 'port', port: { kind: 'element', name, at }, type };
    },
    measured(name, at) {
      if (definitions.has(name) || isReservedName(name))
        throw new FormulaFault(`length takes the name of an input, and '${name}' is none`, at);
      input(name, at);
      return { kind: 'length', name };
    },
  };
}

/** By name. One name means one thing in a formula: defined once, not reserved, and used only below its line. */
function checkedDefinitions(formula: Formula): Map<string, Definition> {
  const all = new Map<string, Definition>();
  for (const definition of formula.definitions) {
    const { name, nameSpan } = definition;
    if (isReservedName(name)) throw new FormulaFault(`'${name}' is reserved: give this another name`, nameSpan);
    if (all.has(name)) throw new FormulaFault(`'${name}' is defined twice`, nameSpan);
    all.set(name, definition);
  }
  const below = new Set(all.keys());
  for (const { name, value } of formula.definitions) {
    for (const node of walk(value)) {
      if (node.kind !== 'name' || !below.has(node.name)) continue;
      if (node.name === name) throw new FormulaFault(`'${name}' is used in its own definition`, node);
      throw new FormulaFault(`'${node.name}' is used before the line that defines it`, node);
    }
    below.delete(name);
  }
  return all;
}

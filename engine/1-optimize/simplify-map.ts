/**
 * map f (…, literal, x, x, replicate y) = map f' (…, x, y): literals go into the function, nothing is read twice or in
 * vain, and broadcasting is left to the domain. What a prologue reads likewise. A result that only repeats an input, a
 * literal or another result is no result, and a map whose inputs all stretch runs before they do.
 */
import type { Construct, ConstructOf, Statement, Value } from '../0-ir/program.ts';
import type { ScalarFunction, ScalarLiteral } from '../0-ir/scalar.ts';
import { broadcastShape, sameShape } from '../0-ir/types.ts';
import { underReplicates } from './inputs.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { readParameters } from './scalar/dead-code.ts';
import { bindParameters, selectResults } from './scalar/edit-function.ts';

export const simplifyMap: Rewrite = (program, context) =>
  rewriteForward(program, context, (statement, scope) => {
    const { construct } = statement;
    if (construct.kind === 'map') return simplify(construct, statement, scope);
    return throughReplicates(construct, scope);
  });

function simplify(c: ConstructOf<'map'>, statement: Statement, scope: Scope): Construct | Value[] | undefined {
  const read = simplifyInputs(c.function, c.inputs, scope);
  const map: ConstructOf<'map'> = read ? { ...c, ...read } : c;
  const results = withoutPlainResults(map, statement, scope);
  if (results) return results;
  const shape = broadcastShape(...map.inputs.map((input) => input.type.shape))!;
  if (!sameShape(shape, map.shape) && shape.length <= map.shape.length)
    return scope.emit({ ...map, shape }).map((value) => scope.emit({ kind: 'replicate', value, shape: map.shape })[0]!);
  return read && map;
}

/** The function on fewer inputs, or undefined where each is read, once, and as it stands. */
function simplifyInputs(
  fn: ScalarFunction,
  inputs: readonly Value[],
  scope: Scope,
): { function: ScalarFunction; inputs: Value[] } | undefined {
  const isRead = readParameters(fn);
  const kept: Value[] = [];
  const places = inputs.map((input, i): number | ScalarLiteral => {
    const value = underReplicates(input, scope);
    const definition = scope.definition(value)?.construct;
    if (definition?.kind === 'literal') return { kind: 'literal', type: definition.element, value: definition.value };
    if (!isRead[i]) return { kind: 'literal', type: value.type.element, value: 0 };
    const known = kept.findIndex((other) => other.id === value.id);
    return known >= 0 ? known : kept.push(value) - 1;
  });
  if (kept.length === inputs.length && kept.every((value, i) => value.id === inputs[i]?.id)) return undefined;
  const types = kept.map((value) => value.type.element);
  const bound = bindParameters(fn, types, (i, parameters) => {
    const place = places[i]!;
    return typeof place === 'number' ? parameters[place]! : place;
  });
  return { function: bound, inputs: kept };
}

/** What the results are, once those that repeat something are that thing; undefined where none does. */
function withoutPlainResults(c: ConstructOf<'map'>, statement: Statement, scope: Scope): Value[] | undefined {
  const { results } = c.function.body;
  const computed: number[] = [];
  const sources = results.map((result, i): { value: Value } | { literal: ScalarLiteral } | { computed: number } => {
    if (result.kind === 'literal') return { literal: result };
    const parameter = c.function.parameters.findIndex(({ id }) => id === result.id);
    if (parameter >= 0) return { value: c.inputs[parameter]! };
    const twin = computed.findIndex((other) => (results[other] as { id?: number }).id === result.id);
    return { computed: twin >= 0 ? twin : computed.push(i) - 1 };
  });
  if (computed.length === statement.results.length) return undefined;
  const rest = computed.length > 0 ? scope.emit({ ...c, function: selectResults(c.function, computed) }) : [];
  return sources.map((source): Value => {
    if ('computed' in source) return rest[source.computed]!;
    const value =
      'value' in source
        ? source.value
        : scope.emit({ kind: 'literal', element: source.literal.type, value: source.literal.value })[0]!;
    if (sameShape(value.type.shape, c.shape)) return value;
    return scope.emit({ kind: 'replicate', value, shape: c.shape })[0]!;
  });
}

/** Constructs over a domain broadcast by themselves. */
function throughReplicates(c: Construct, scope: Scope): Construct | undefined {
  switch (c.kind) {
    case 'reduce':
    case 'scan':
    case 'segmented-scan':
    case 'histogram':
    case 'keyed-scan': {
      if (c.prologue) {
        const read = simplifyInputs(c.prologue, c.inputs, scope);
        return read && { ...c, inputs: read.inputs, prologue: read.function };
      }
      const inputs = c.inputs.map((input) => underReplicates(input, scope));
      return changed(inputs, c.inputs) ? { ...c, inputs } : undefined;
    }
    default:
      return undefined;
  }
}

function changed(values: readonly Value[], before: readonly Value[]): boolean {
  return values.some((value, i) => value.id !== before[i]?.id);
}

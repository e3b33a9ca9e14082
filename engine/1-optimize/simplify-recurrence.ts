/** What a recurrence reads: literals go into its step, nothing is read twice or in vain. */
import type { Construct, ConstructOf, Value } from '../0-ir/program.ts';
import { parameterTypes, type ScalarLiteral } from '../0-ir/scalar.ts';
import { underReplicates } from './inputs.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';
import { readParameters } from './scalar/dead-code.ts';
import { bindParameters } from './scalar/edit-function.ts';

export const simplifyRecurrence: Rewrite = (program, context) =>
  rewriteForward(program, context, ({ construct }, scope) =>
    construct.kind === 'recurrence' ? simplify(construct, scope) : undefined,
  );

function simplify(c: ConstructOf<'recurrence'>, scope: Scope): Construct | undefined {
  const isRead = readParameters(c.step);
  const carries = c.initial.length;
  const places: (number | ScalarLiteral)[] = c.initial.map((_, i) => i);
  let next = carries;
  const reduced = (values: readonly Value[], first: number): Value[] => {
    const kept: Value[] = [];
    const base = next;
    values.forEach((value, i) => {
      const literal = literalFor(value, isRead[first + i] ?? false, scope);
      if (literal) return void places.push(literal);
      const source = underReplicates(value, scope);
      const known = kept.findIndex((other) => other.id === source.id);
      places.push(base + (known >= 0 ? known : kept.push(source) - 1));
    });
    next += kept.length;
    return kept;
  };
  const initial = c.initial.map((value) => underReplicates(value, scope));
  const inputs = reduced(c.inputs, carries);
  const invariants = reduced(c.invariants, carries + c.inputs.length);
  const before = [...c.initial, ...c.inputs, ...c.invariants];
  const after = [...initial, ...inputs, ...invariants];
  if (before.length === after.length && after.every((value, i) => value.id === before[i]?.id)) return undefined;
  const types = [
    ...parameterTypes(c.step).slice(0, carries),
    ...[...inputs, ...invariants].map((value) => value.type.element),
  ];
  const step = bindParameters(c.step, types, (i, parameters) => {
    const place = places[i]!;
    return typeof place === 'number' ? parameters[place]! : place;
  });
  return { ...c, step, initial, inputs, invariants };
}

/** What stands for an input that is a literal, or that nobody reads. */
function literalFor(value: Value, isRead: boolean, scope: Scope): ScalarLiteral | undefined {
  const definition = scope.definition(underReplicates(value, scope))?.construct;
  if (definition?.kind === 'literal') return { kind: 'literal', type: definition.element, value: definition.value };
  return isRead ? undefined : { kind: 'literal', type: value.type.element, value: 0 };
}

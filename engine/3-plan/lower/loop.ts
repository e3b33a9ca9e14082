import type { ConstructOf, Program, Value } from '../../0-ir/program.ts';
import { intLiteral } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { definitionsOf, usesOf } from '../../0-ir/walk.ts';
import type { Site } from '../lowering.ts';
import { accessOf, isDense, viewsOf, type Block, type Located, type View } from '../view.ts';

/**
 * Carries live in buffers that the body reads and, at its end, overwrites; the index is one more. What the body computes
 * from invariants alone goes before the loop. A carry of which the body replaces rows is changed where it stands.
 */
export function lowerLoop(c: ConstructOf<'loop'>, site: Site): Located[] {
  const { lowering, home, origin } = site;
  const body: Block = { depth: home.depth + 1, steps: [] };
  const index = lowering.allocate('int', [], home);
  const readsIndex = usesOf(c.body).has(c.body.parameters[0]!.value.id);
  if (readsIndex) lowering.write(home, lowering.constant('int', 0), accessOf(index), origin);
  const carries = c.initial.map((value) => {
    const carry = lowering.allocate(value.type.element, value.type.shape, home);
    lowering.write(home, site.at(value), accessOf(carry), origin);
    return carry;
  });

  const inside = [index, ...carries].map((view): View => ({ ...view, home: body }));
  const results = site.program(
    c.body,
    [...inside, ...c.invariants.map(site.at)],
    body,
    updated(c.body, carries.length),
  );
  overwrite(site, body, carries, results);
  if (readsIndex) advance(site, body, index);

  site.emit({ kind: 'loop', count: c.count, steps: body.steps });
  return carries;
}

/**
 * The scatters that make a carry's next value of its last, each the only reader of what it changes: the trajectory that
 * reverse mode keeps has a row written at each step, and to copy it would take n² rows for n steps.
 */
function updated(body: Program, carries: number): Set<number> {
  const uses = usesOf(body);
  const definitions = definitionsOf(body);
  /** What leads from the parameter to the value; undefined where something else does, or reads along. */
  const chain = (value: Value, parameter: Value): number[] | undefined => {
    if (uses.get(value.id)?.length !== 1) return undefined;
    if (value.id === parameter.id) return [];
    const construct = definitions.get(value.id)?.construct;
    const before = construct?.kind === 'scatter' ? chain(construct.into, parameter) : undefined;
    return before && [...before, value.id];
  };
  return new Set(
    body.results.slice(0, carries).flatMap(({ value }, i) => chain(value, body.parameters[1 + i]!.value) ?? []),
  );
}

function advance({ lowering, origin }: Site, body: Block, index: View): void {
  const next = scalarFunction(['int'], (b, t) => [b.apply('add', t, intLiteral(1))]);
  lowering.map(body, [], next, [{ ...index, home: body }], [accessOf(index)], origin);
}

/** carries = results, all at once: a result that is read from some carry is set aside before any carry changes. */
function overwrite(site: Site, body: Block, carries: readonly View[], results: readonly Located[]): void {
  const { lowering, origin } = site;
  const bases = new Set(carries.map((carry) => carry.base));
  const unchanged = (result: Located, carry: View | undefined): boolean =>
    result.kind === 'view' &&
    result.base === carry?.base &&
    result.offset === 0 &&
    isDense(result.shape, result.strides);
  const ready = results.map((result, i): Located => {
    if (!viewsOf(result).some(({ base }) => bases.has(base)) || unchanged(result, carries[i])) return result;
    const aside = lowering.allocate(result.element, result.shape, body);
    lowering.write(body, result, accessOf(aside), origin);
    return aside;
  });
  ready.forEach((result, i) => {
    const carry = carries[i]!;
    if (!unchanged(result, carry)) lowering.write(body, result, accessOf(carry), origin);
  });
}

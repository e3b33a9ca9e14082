/** The formulas of an ode block, and whether two blocks say the same of how things change, but for what their constants are called. */
import { elementText } from '../../formula/names.ts';
import { children, walk, type Expression } from '../../formula/syntax.ts';
import { dosesIn, reactionsOf, triggersOf, type OdeBlock } from '../../blocks/ode/schema.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { number } from '../../sbml/syntax.ts';
import { writtenOut } from '../../sbml/written-out.ts';

/** What formulas have without any block. */
const known = new Set(['time', 'pi', 'e', 'inf', 'nan']);

/** States, named formulas and reactions. */
export function isOwn(ode: OdeBlock, name: string): boolean {
  return (
    known.has(name) ||
    Object.hasOwn(ode.state, name) ||
    Object.hasOwn(ode.formulas ?? {}, name) ||
    reactionsOf(ode).some((each) => each.name === name)
  );
}

/** The blocks that its formulas use, in their order. */
export function constantsOf(ode: OdeBlock): string[] {
  const found = new Set<string>();
  for (const [, expression] of formulasOf(ode))
    for (const node of walk(expression)) if (node.kind === 'name' && !isOwn(ode, node.name)) found.add(node.name);
  return [...found];
}

/**
 * Constant of `first` → that of `other` in its place; undefined where they differ in more. Of an event of a later block it
 * does not matter whether its condition held before; nor one that a change of conditions sets off at its start.
 */
export function counterparts(first: OdeBlock, other: OdeBlock): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  const [a, b] = [formulasOf(first), formulasOf(other)];
  const same = (left: Expression, right: Expression): boolean => {
    if (left.kind === 'name') {
      if (right.kind !== 'name') return false;
      if (isOwn(first, left.name) || isOwn(other, right.name)) return left.name === right.name;
      const known = found.get(left.name) ?? right.name;
      found.set(left.name, known);
      return known === right.name;
    }
    const [mine, theirs] = [children(left), children(right)];
    return (
      headOf(left) === headOf(right) && mine.length === theirs.length && mine.every((each, i) => same(each, theirs[i]!))
    );
  };
  const fits = a.length === b.length && a.every(([what, left], i) => b[i]?.[0] === what && same(left, b[i]?.[1]));
  return fits ? found : undefined;
}

function headOf(node: Expression): string {
  if (node.kind === 'number' || node.kind === 'boolean') return String(node.value);
  if (node.kind === 'call') return `${node.name}()`;
  if (node.kind === 'element') return elementText(node);
  return node.kind === 'name' ? node.name : `${node.kind} ${node.operator}`;
}

/** Each with what it is of, so that equal lists mean equal dynamics. */
function formulasOf(ode: OdeBlock): (readonly [what: string, formula: Expression])[] {
  const of = (given: string | number): Expression =>
    isDocumentNumber(given) ? number(toNumber(given)) : writtenOut(given);
  const events = triggersOf(ode).filter(({ event }) => !startsAtOnce(event.when));
  return [
    ...Object.entries(ode.state).flatMap(([id, { rate, per }]) => [
      [`the state ${id}`, of(rate ?? '0')] as const,
      ...(per === undefined ? [] : [[`per of ${id}`, of(per)] as const]),
    ]),
    ...reactionsOf(ode).map(({ name, reaction, rate }) => [`${name}: ${reaction}`, of(rate)] as const),
    ...Object.entries(ode.formulas ?? {}).map(([id, text]) => [`the formula ${id}`, of(text)] as const),
    ...events.flatMap(
      ({ event: { when, set, scaled = {}, delay, priority, persistent = true, values = 'trigger' } }) => [
        [`an event, ${persistent}, ${values}`, of(when)] as const,
        ...Object.entries(set).map(([state, value]) => [`sets ${state}`, of(value)] as const),
        ...Object.entries(scaled).map(([state, value]) => [`scales ${state}`, of(value)] as const),
        ...(delay === undefined ? [] : [['delay', of(delay)] as const]),
        ...(priority === undefined ? [] : [['priority', of(priority)] as const]),
      ],
    ),
    ...dosesIn(ode).flatMap(({ event: { times, state, add } }) => [
      [`a dose of ${state}`, of(times)] as const,
      ['adds', of(add)] as const,
    ]),
  ];
}

/** `held < 1 and time <= begin and …`, as an import of periods writes it beside the event itself. */
function startsAtOnce(when: string): boolean {
  return /^\w+_held(_\d+)? < 1 and time <= \S+ and /.test(when);
}

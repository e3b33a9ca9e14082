/**
 * Recurrences that rest: of K·S steps those of a solver between two knots are S slots, of which the last do nothing. A step that
 * leaves every carry as it is has come to rest, and so do all that follow it and take the same, down to the next knot. Here that is
 * proved, and a backend may pass over them.
 *
 * Each input must be the same at all S slots, or count them: then the step may only ask whether it is the first. Outputs must be read
 * at the first of each S alone, or, slot by slot, by recurrences that go back over the same steps: these rest as well, since what they
 * read of slots passed over is what it was where the other came to rest. They begin each knot there. What adjoints of the values at
 * knots they are given is 0 at all slots but the first, and given without these.
 *
 * Written after `thin-outputs.ts`, which says which outputs are.
 */
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import { operandsOf } from '../0-ir/operands.ts';
import type { Program, Reached, RecurrenceConstruct, Statement, Value } from '../0-ir/program.ts';
import { isLiteral, type ScalarBlock, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { sizeMultiply, sizeSubtract, type Size } from '../0-ir/sizes.ts';
import type { Shape } from '../0-ir/types.ts';
import { definitionsOf, firstFreeId, usesOf, type Use } from '../0-ir/walk.ts';

interface Known {
  readonly statements: readonly Statement[];
  readonly made: ReadonlyMap<number, Statement>;
  readonly uses: ReadonlyMap<number, readonly Use[]>;
}

export function withRests(program: Program): Program {
  const nested = { ...program, statements: program.statements.map(withRestingBodies) };
  const { statements } = nested;
  const known: Known = { statements, made: definitionsOf(nested), uses: usesOf(nested) };
  let free = firstFreeId(nested);
  const fresh = ({ type }: Value, shape: Shape): Value => ({ id: free++, type: { ...type, shape } });
  const written = new Map<number, Statement[]>();
  statements.forEach((statement, at) => {
    const { construct, results } = statement;
    const found = construct.kind === 'recurrence' ? restsOf(construct, results, known) : undefined;
    if (construct.kind !== 'recurrence' || !found) return;
    const { slots: rests, count, readers } = found;
    if (readers.length === 0 || count === undefined) {
      written.set(at, [{ ...statement, construct: { ...construct, rests } }]);
      return;
    }
    const from: Value = { id: free++, type: { element: 'int', shape: construct.shape.with(construct.axis, count) } };
    written.set(at, [
      { ...statement, construct: { ...construct, rests, reached: { count } }, results: [...results, from] },
    ]);
    for (const { place, recurrence, inputs } of readers) {
      const reader = statements[place]!;
      const firsts: Statement[] = [];
      const given = inputs.map(({ kind, value }): Value => {
        if (kind !== 'first') return value;
        const { shape } = value.type;
        const first = fresh(value, shape.toSpliced(ownAxis(recurrence, shape.length - 1) + 1, 1));
        firsts.push({ ...reader, construct: { kind: 'reshape', value, shape: first.type.shape }, results: [first] });
        return first;
      });
      const reached: Reached = { count, from, inputs: inputs.map(({ kind }) => kind) };
      const construct: RecurrenceConstruct = { ...recurrence, rests, reached, inputs: given };
      written.set(place, [...firsts, { ...reader, construct }]);
    }
  });
  if (written.size === 0) return nested;
  return withoutUnread({ ...nested, statements: statements.flatMap((each, at) => written.get(at) ?? [each]) });
}

function withRestingBodies(statement: Statement): Statement {
  const construct = mapNestedPrograms(statement.construct, withRests);
  return construct === statement.construct ? statement : { ...statement, construct };
}

/** Without statements of which no result is read. */
function withoutUnread(program: Program): Program {
  const live = new Set(program.results.map(({ value }) => value.id));
  const statements = program.statements.toReversed().filter(({ construct, results }) => {
    const isRead = results.some(({ id }) => live.has(id));
    if (isRead) for (const { id } of operandsOf(construct)) live.add(id);
    return isRead;
  });
  return { ...program, statements: statements.reverse() };
}

interface Found {
  readonly slots: Size;
  readonly count: Size | undefined;
  /** Recurrences that go back over it. */
  readonly readers: readonly Reader[];
}

interface Reader {
  readonly place: number;
  readonly recurrence: RecurrenceConstruct;
  readonly inputs: readonly { readonly kind: 'kept' | 'same' | 'first'; readonly value: Value }[];
}

function restsOf(construct: RecurrenceConstruct, results: readonly Value[], known: Known): Found | undefined {
  const { reverse, initial, every } = construct;
  const courses = coursesOf(construct, known);
  if (reverse || !courses?.slots || courses.inputs.some(({ kind }) => kind === 'first')) return undefined;
  const { slots, count } = courses;
  const kept = results.slice(initial.length).filter(({ id }, i) => {
    const isThin = every?.[i]?.steps === slots;
    return !isThin && (known.uses.get(id) ?? []).length > 0;
  });
  const places = new Set<number>();
  for (const { id } of kept)
    for (const use of known.uses.get(id) ?? []) {
      if (use.kind === 'result') return undefined;
      places.add(use.statement);
    }
  const readers: Reader[] = [];
  for (const place of places) {
    const reader = readerOf(construct, kept, place, courses, known);
    if (!reader) return undefined;
    readers.push(reader);
  }
  return { slots, count, readers };
}

/** What goes back over the steps of another, of which nothing is read step by step; undefined of all else. */
function readerOf(
  { shape, axis }: RecurrenceConstruct,
  kept: readonly Value[],
  place: number,
  { slots }: Courses,
  known: Known,
): Reader | undefined {
  const { construct: recurrence, results } = known.statements[place]!;
  if (recurrence.kind !== 'recurrence' || !recurrence.reverse || recurrence.axis !== axis) return undefined;
  if (recurrence.shape.length !== shape.length || recurrence.shape.some((size, i) => size !== shape[i]))
    return undefined;
  const { initial, invariants } = recurrence;
  if (results.slice(initial.length).some(({ id }) => known.uses.has(id))) return undefined;
  const isKept = ({ id }: Value): boolean => kept.some((value) => value.id === id);
  if ([...initial, ...invariants].some(isKept)) return undefined;
  const courses = coursesOf(recurrence, known, isKept);
  if (!courses || (courses.slots !== undefined && courses.slots !== slots)) return undefined;
  return { place, recurrence, inputs: courses.inputs };
}

interface Courses {
  /** Of each knot, and how many there are; undefined where all inputs are the same throughout. */
  readonly slots: Size | undefined;
  readonly count: Size | undefined;
  readonly inputs: Reader['inputs'];
}

/** How the inputs go along the steps, where each is the same at all slots of a knot but the first. */
function coursesOf(
  construct: RecurrenceConstruct,
  known: Known,
  isKept: (input: Value) => boolean = () => false,
): Courses | undefined {
  const { step, initial, inputs } = construct;
  const found: Reader['inputs'][number][] = [];
  let [slots, count]: (Size | undefined)[] = [];
  for (const [i, input] of inputs.entries()) {
    if (isKept(input)) {
      found.push({ kind: 'kept', value: input });
      continue;
    }
    const course = courseOf(construct, input, known);
    if (!course || (course.kind === 'counted' && !asksForFirst(step, step.parameters[initial.length + i]!.id)))
      return undefined;
    found.push(course.kind === 'first' ? { kind: 'first', value: course.value } : { kind: 'same', value: input });
    if (course.kind === 'still') continue;
    if (slots !== undefined && slots !== course.slots) return undefined;
    [slots, count] = [course.slots, course.count];
  }
  return { slots, count, inputs: found };
}

/** How an input goes along the steps: the same at all, the same at the slots of a knot, their number, or 0 at all but the first. */
type Course =
  | { readonly kind: 'still' }
  | { readonly kind: 'repeated' | 'counted'; readonly slots: Size; readonly count: Size }
  | { readonly kind: 'first'; readonly slots: Size; readonly count: Size; readonly value: Value };

/** Of the axes of a value of so many that broadcasts to the domain, the one that steps go along. */
const ownAxis = ({ shape, axis }: RecurrenceConstruct, rank: number): number => axis - (shape.length - rank);

function courseOf(construct: RecurrenceConstruct, input: Value, { made }: Known): Course | undefined {
  const own = ownAxis(construct, input.type.shape.length);
  const length = input.type.shape[own];
  if (length === undefined || length === 1) return { kind: 'still' };
  const reshaped = made.get(input.id)?.construct;
  if (reshaped?.kind !== 'reshape') return undefined;
  const { shape: parts } = reshaped.value.type;
  const [count, slots] = parts.slice(own);
  if (parts.length !== input.type.shape.length + 1 || count === undefined || slots === undefined) return undefined;
  const whole = parts.toSpliced(own, 2, sizeMultiply(count, slots));
  if (whole.some((size, i) => size !== input.type.shape[i])) return undefined;
  const spread = made.get(reshaped.value.id)?.construct;
  if (spread?.kind === 'concatenate' && spread.axis === own + 1) {
    const [first, others, ...more] = spread.values;
    const isFirst = first?.type.shape[own + 1] === 1 && first.type.element === 'real' && !isConstant(first, made);
    const areZero = others?.type.shape[own + 1] === sizeSubtract(slots, 1) && isZero(others, made);
    return isFirst && areZero && more.length === 0 ? { kind: 'first', slots, count, value: first } : undefined;
  }
  if (spread?.kind !== 'replicate') return undefined;
  const { value } = spread;
  const inner = own + 1 - (parts.length - value.type.shape.length);
  if ((value.type.shape[inner] ?? 1) === 1) return { kind: 'repeated', slots, count };
  return isCount(value, slots, made) ? { kind: 'counted', slots, count } : undefined;
}

/** What is folded into a step as one number. */
const isConstant = ({ id }: Value, made: Known['made']): boolean => {
  const construct = made.get(id)?.construct;
  if (construct?.kind === 'reshape' || construct?.kind === 'replicate') return isConstant(construct.value, made);
  return construct?.kind === 'literal';
};

function isZero({ id }: Value, made: Known['made']): boolean {
  const construct = made.get(id)?.construct;
  if (construct?.kind === 'reshape' || construct?.kind === 'replicate') return isZero(construct.value, made);
  return construct?.kind === 'literal' && Object.is(construct.value, 0);
}

/** Whether it is 0, 1, … along the one axis that it has. */
function isCount({ id, type }: Value, slots: Size, made: Known['made']): boolean {
  if (type.shape.filter((size) => size !== 1).some((size, i) => i > 0 || size !== slots)) return false;
  const construct = made.get(id)?.construct;
  if (construct?.kind === 'iota') return true;
  if (construct?.kind === 'reshape') return isCount(construct.value, slots, made);
  if (construct?.kind !== 'map' || construct.inputs.length !== 1) return false;
  const { parameters, body } = construct.function;
  const [only, ...others] = body.statements;
  const isReal =
    only?.kind === 'apply' &&
    others.length === 0 &&
    only.operation === 'real' &&
    isVariable(only.operands[0]!, parameters[0]!.id) &&
    isVariable(body.results[0]!, only.result.id);
  return isReal && isCount(construct.inputs[0]!, slots, made);
}

const isVariable = (operand: ScalarOperand, id: number): boolean => operand.kind === 'variable' && operand.id === id;

/** Whether all that is asked of a variable is if it is 0. */
function asksForFirst({ body }: ScalarFunction, variable: number): boolean {
  const isIt = (operand: ScalarOperand): boolean => isVariable(operand, variable);
  const within = ({ statements, results }: ScalarBlock): boolean =>
    !results.some(isIt) &&
    statements.every((statement) => {
      if (statement.kind === 'if')
        return !isIt(statement.condition) && within(statement.then) && within(statement.else);
      const { operation, operands } = statement;
      return !operands.some(isIt) || (operation === 'eq' && operands.some((operand) => isLiteral(operand, 0)));
    });
  return within(body);
}

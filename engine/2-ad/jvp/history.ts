/** (cₜ, oₜ, rowₜ) = step(cₜ₋₁, uₜ, rows, v)  ⇒  the history of JVP step, whose rows hold tangents beside their values. */
import type { HistoryConstruct, Value } from '../../0-ir/program.ts';
import { placesOf } from '../../0-ir/infer.ts';
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { JvpRule } from '../rule.ts';
import { jvpFunction } from '../scalar/jvp-function.ts';

// Operands: initial, inputs, places, invariants.
export const history: JvpRule<'history'> = (b, construct, tangents) => {
  const { initial, inputs, places, invariants, columns, backward, step } = construct;
  const count = placesOf(construct);
  const [read, written] = backward ? [columns, count * columns] : [count * columns, columns];
  const carries = initial.length;
  const outputs = step.body.results.length - carries - written;
  const initialTangents = tangents.slice(0, carries);
  const inputTangents = tangents.slice(carries, carries + inputs.length);
  const invariantTangents = tangents.slice(carries + inputs.length + places.length);
  const present = (flags: readonly unknown[]): boolean[] => flags.map((flag) => flag !== undefined);
  const dual = { inputs: present(inputTangents), invariants: present(invariantTangents) };
  const others = [...dual.inputs, ...new Array<boolean>(read).fill(true), ...dual.invariants];
  const moving = movingCarries(step, present(initialTangents), others);
  const duals = { ...dual, moving };
  const pushed = jvpFunction(step, [...moving, ...others]);
  const there = (values: typeof tangents): Value[] => values.filter((value) => value !== undefined);
  const all = b.emit({
    ...construct,
    columns: 2 * columns,
    step: dualStep(construct, pushed.function, pushed.active, duals, read, written),
    ...(construct.asked && { asked: askedAmong(construct, construct.asked, duals, read) }),
    initial: [...initial, ...moving.flatMap((m, i) => (m ? [initialTangents[i] ?? b.literal(0)] : []))],
    inputs: [...inputs, ...there(inputTangents)],
    invariants: [...invariants, ...there(invariantTangents)],
  });
  // Carries, their tangents, outputs, their tangents, rows, their tangents, places.
  let at = 0;
  const take = (n: number): Value[] => all.slice(at, (at += n));
  const own = take(carries);
  const ownTangents = take(countOf(moving));
  const plain = take(outputs);
  const active = pushed.active.slice(carries, carries + outputs);
  const plainTangents = take(countOf(active));
  const [rows, rowTangents] = [take(columns), take(columns)];
  const found = take(construct.asked ? count : 0);
  return {
    results: [...own, ...plain, ...rows, ...found],
    tangents: [
      ...moving.map((m) => (m ? ownTangents.shift() : undefined)),
      ...active.map((moves) => (moves ? plainTangents.shift() : undefined)),
      ...rowTangents,
      ...found.map(() => undefined),
    ],
  };
};

/** The carries that move from some step on. */
function movingCarries(step: ScalarFunction, moves: readonly boolean[], others: readonly boolean[]): boolean[] {
  let moving = [...moves];
  for (;;) {
    const { active } = jvpFunction(step, [...moving, ...others]);
    const next = moving.map((m, i) => m || Boolean(active[i]));
    if (next.every((m, i) => m === moving[i])) return moving;
    moving = next;
  }
}

const countOf = (flags: readonly boolean[]): number => flags.filter(Boolean).length;

type Types = ScalarFunction['parameters'][number]['type'][];

interface Duals {
  readonly moving: readonly boolean[];
  readonly inputs: readonly boolean[];
  readonly invariants: readonly boolean[];
}

/** The types of c, ċ, u, u̇, (rows,) v, v̇. */
function groupsOf({ step, initial, inputs }: HistoryConstruct, duals: Duals, read: number, rows: number): Types[] {
  const types = step.parameters.map(({ type }) => type);
  const reals = (n: number): Types => new Array<'real'>(n).fill('real');
  const firstRow = initial.length + inputs.length;
  return [
    types.slice(0, initial.length),
    reals(countOf(duals.moving)),
    types.slice(initial.length, firstRow),
    reals(countOf(duals.inputs)),
    reals(rows),
    types.slice(firstRow + read),
    reals(countOf(duals.invariants)),
  ];
}

function grouped(groups: readonly Types[], operands: readonly ScalarOperand[]): ScalarOperand[][] {
  let at = 0;
  return groups.map((group) => operands.slice(at, (at += group.length)));
}

/** What is asked is asked of values alone. */
function askedAmong(c: HistoryConstruct, asked: ScalarFunction, duals: Duals, read: number): ScalarFunction {
  const groups = groupsOf(c, duals, read, 0);
  return scalarFunction(groups.flat(), (s, ...operands) => {
    const [values, , inputs, , , invariants] = grouped(groups, operands);
    return s.inline(
      asked,
      [values, inputs, invariants].flatMap((group) => group ?? []),
    );
  });
}

/** (c, ċ, u, u̇, rows with their tangents, v, v̇) ↦ (c′, ċ′, o, ȯ, rows with theirs), of (c, u, r, v, ċ, u̇, ṙ, v̇). */
function dualStep(
  construct: HistoryConstruct,
  pushed: ScalarFunction,
  active: readonly boolean[],
  duals: Duals,
  read: number,
  written: number,
): ScalarFunction {
  const { initial, columns } = construct;
  const groups = groupsOf(construct, duals, read, 2 * read);
  return scalarFunction(groups.flat(), (s, ...operands) => {
    const [c = [], dc = [], u = [], du = [], rows = [], v = [], dv = []] = grouped(groups, operands);
    const ofRows = (tangent: boolean): ScalarOperand[] =>
      rows.filter((_, i) => Math.floor(i / columns) % 2 === (tangent ? 1 : 0));
    const out = s.inline(pushed, [...c, ...u, ...ofRows(false), ...v, ...dc, ...du, ...ofRows(true), ...dv]);
    let next = active.length;
    const tangents = active.map((moves) => (moves ? out[next++] : undefined));
    const or0 = (tangent: ScalarOperand | undefined): ScalarOperand => tangent ?? realLiteral(0);
    const end = active.length - written;
    const rowsWritten = Array.from({ length: written / columns }, (_, q) => {
      const [from, to] = [end + q * columns, end + (q + 1) * columns];
      return [...out.slice(from, to), ...tangents.slice(from, to).map(or0)];
    });
    return [
      ...out.slice(0, initial.length),
      ...duals.moving.flatMap((m, i) => (m ? [or0(tangents[i])] : [])),
      ...out.slice(initial.length, end),
      ...tangents.slice(initial.length, end).filter((tangent) => tangent !== undefined),
      ...rowsWritten.flat(),
    ];
  });
}

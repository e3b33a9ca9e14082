/**
 * Whether a value is made row by row of its table, decided on the program that the model is lowered to: element i depends
 * on row i alone, so that a table of other rows gives other elements and no more. A solver's solution is so in its times,
 * if it says so: it knows what lies between.
 */
import { dependenceOf, lengthOf, sizeSymbols, type Dependence, type Value } from '../../engine/index.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { Lowering } from '../graph/lowering.ts';

export interface RowByRow {
  readonly table: string;
  /** The column blocks of that table whose row i enters element i. */
  readonly columns: readonly string[];
  /** Solved in steps that the rows divide: values between hold as far as the solver does. */
  readonly solved: boolean;
}

/** Undefined where rows depend on one another, on their number or their order, or on no table. */
export function rowByRow(model: Model, link: Link): RowByRow | undefined {
  if (outputAt(model, link).sizes.length !== 1) return undefined;
  const tables = columnTables(model);
  const lowering = new Lowering(model.blocks);
  lowering.lowerBlocks([link.block]);
  const value = lowering.value(link);
  const program = lowering.builder.finish([{ name: 'rows', value }]);
  const solutions = solvedIn(model, lowering);
  const { along, whole } = dependenceOf(program, new Set(tables.keys()), solutions)(value);
  const [axis] = along;
  const [first] = axis?.inputs ?? [];
  const table = first === undefined ? undefined : tables.get(first);
  if (!axis || axis.varies || table === undefined) return undefined;
  const columns = [...axis.inputs].filter((input) => tables.has(input));
  if (columns.some((column) => tables.get(column) !== table)) return undefined;
  const lengths = new Set(value.type.shape.flatMap(sizeSymbols).map(lengthOf));
  if ([...whole].some((input) => tables.get(input) === table || lengths.has(input))) return undefined;
  return { table, columns, solved: axis.inputs.has(solver) };
}

/** Column block → its table. */
function columnTables(model: Model): Map<string, string> {
  return new Map(
    [...model.blocks].flatMap(([id, { node }]) =>
      node.block.kind === 'column' ? [[id, node.block.table] as const] : [],
    ),
  );
}

/** Stands among a value's inputs where a solver is between it and its times; no id has a space. */
const solver = 'a solver';

/** x(tᵢ) of a solution depends on tᵢ and, whole, on everything else that the block takes. */
function solvedIn(model: Model, lowering: Lowering): Map<number, (of: (value: Value) => Dependence) => Dependence> {
  const known = new Map<number, (of: (value: Value) => Dependence) => Dependence>();
  for (const id of lowering.lowered()) {
    const checked = model.blocks.get(id);
    if (checked?.node.block.kind !== 'ode') continue;
    const times = checked.links.get('times');
    if (!times || outputAt(model, times).sizes.length !== 1) continue;
    const others = [...checked.links].flatMap(([port, link]) => (port === 'times' ? [] : [lowering.value(link)]));
    checked.outputs.forEach((_, output) => {
      const solution = lowering.value({ block: id, output });
      known.set(solution.id, (of) => {
        const [time, rest] = [of(lowering.value(times)), others.map(of)];
        const whole = [
          time.whole,
          ...rest.flatMap(({ along, whole }) => [whole, ...along.map(({ inputs }) => inputs)]),
        ];
        const along = solution.type.shape.map((_, axis) => ({
          inputs: axis === 0 ? new Set([...(time.along[0]?.inputs ?? []), solver]) : new Set<string>(),
          varies: axis > 0 || (time.along[0]?.varies ?? false),
        }));
        return { along, whole: new Set(whole.flatMap((inputs) => [...inputs])) };
      });
    });
  }
  return known;
}

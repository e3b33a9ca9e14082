/**
 * Whether a value is made row by row of its table, decided on the program that the model is lowered to: element i depends
 * on row i alone, so that a table of other rows gives other elements and no more. A solver's solution is so in its times,
 * if it says so: it knows what lies between.
 */
import {
  dependenceOf,
  lengthOf,
  sizeSymbols,
  upTo,
  type AlongAxis,
  type Dependence,
  type Value,
} from '../../engine/index.ts';
import type { FilterBlock, FilterDetail } from '../blocks/filter.ts';
import { listPorts } from '../blocks/parts/lists.ts';
import { outputAt, type CheckedBlock, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { Lowering } from '../graph/lowering.ts';

export interface RowByRow {
  readonly table: string;
  /** The column blocks of that table whose row enters the element. */
  readonly columns: readonly string[];
  /** Solved in steps that the rows divide: values between hold as far as the solver does. */
  readonly solved: boolean;
  /** The filters that elements have come through, the last one last: an element for each row that they keep. */
  readonly filters: readonly string[];
}

type Known = Map<number, (of: (value: Value) => Dependence) => Dependence>;

/** Undefined where rows depend on one another, on their number or their order, or on no table. */
export function rowByRow(model: Model, link: Link): RowByRow | undefined {
  if (outputAt(model, link).sizes.length !== 1) return undefined;
  const tables = columnTables(model);
  const lowering = loweringOf(model);
  lowering.lowerBlocks([link.block]);
  const value = lowering.value(link);
  const program = lowering.builder.finish([{ name: 'rows', value }]);
  const { along, whole } = dependenceOf(program, new Set(tables.keys()), knownIn(model, lowering))(value);
  const [axis] = along;
  if (!axis || axis.varies) return undefined;
  const ways = [...axis.inputs].map(wayOf);
  const columns = ways.flatMap(({ input, chooses }) => (tables.has(input) && !chooses ? [input] : []));
  const [first] = columns;
  const table = first === undefined ? undefined : tables.get(first);
  if (table === undefined || ways.some(({ input }) => input !== solver && tables.get(input) !== table))
    return undefined;
  // Elements that have come by different ways are of different rows.
  const [{ filters }] = ways as [Way];
  if (ways.some((way) => way.filters.join() !== filters.join())) return undefined;
  const rows = [...columns, ...filters].map((block) => lowering.value({ block, output: 0 }));
  const lengths = new Set([value, ...rows].flatMap(({ type }) => type.shape.flatMap(sizeSymbols)).map(lengthOf));
  const met = (input: string): boolean => tables.get(wayOf(input).input) === table || lengths.has(input);
  return [...whole].some(met)
    ? undefined
    : { table, columns: [...new Set(columns)], solved: ways.some(({ input }) => input === solver), filters };
}

/** The columns and constants whose element i enters element i of these values, whatever else does. */
export function besideRows(model: Model, link: Link): ReadonlySet<string> {
  const lowering = loweringOf(model);
  lowering.lowerBlocks([link.block]);
  const value = lowering.value(link);
  const program = lowering.builder.finish([{ name: 'rows', value }]);
  const tracked = [...model.blocks].filter(([, { node }]) => ['column', 'constant'].includes(node.block.kind));
  const { along } = dependenceOf(program, new Set(tracked.map(([id]) => id)), knownIn(model, lowering))(value);
  const ways = [...(along[0]?.inputs ?? [])].map(wayOf);
  return new Set(ways.flatMap(({ input, chooses }) => (chooses ? [] : [input])));
}

/** What solvers do is known without their programs, which are long. */
const loweringOf = ({ blocks }: Model): Lowering =>
  new Lowering(blocks, undefined, undefined, ({ node }) => node.block.kind === 'ode');

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

/** An input of which a filter keeps some rows is another, `t through f`; one by which it chooses is `if w through f`. */
const through = ' through ';
const choosing = 'if ';

interface Way {
  readonly input: string;
  readonly filters: readonly string[];
  /** It decides whether there is an element, and nothing of its value. */
  readonly chooses: boolean;
}

function wayOf(name: string): Way {
  const chooses = name.startsWith(choosing);
  const [input = '', ...filters] = (chooses ? name.slice(choosing.length) : name).split(through);
  return { input, filters, chooses };
}

/** What is known of the blocks that have been lowered, better than their statements tell. */
function knownIn(model: Model, lowering: Lowering): Known {
  const known: Known = new Map();
  for (const id of lowering.lowered()) {
    const checked = model.blocks.get(id)!;
    if (checked.node.block.kind === 'ode') solved(id, checked, lowering, known);
    if (checked.node.block.kind === 'filter') filtered(model, id, lowering, known);
  }
  return known;
}

/**
 * x(tᵢ) of a solution depends on tᵢ and, whole, on everything else that the block takes; where lanes have times of their own, each
 * element on everything.
 */
function solved(id: string, { links, outputs }: CheckedBlock, lowering: Lowering, known: Known): void {
  const ofLink = (port: string) => lowering.value(links.get(port)!);
  const inSteps = links.has('times') && ofLink('times').type.shape.length === 1;
  const others = [...links.keys()].filter((port) => !inSteps || port !== 'times').map(ofLink);
  outputs.forEach((_, output) => {
    const solution = lowering.value({ block: id, output });
    known.set(solution.id, (of) => {
      const rest = others.map(of);
      const time = inSteps ? of(ofLink('times')) : undefined;
      const whole = [
        time?.whole ?? new Set<string>(),
        ...rest.flatMap(({ along, whole }) => [whole, ...along.map(({ inputs }) => inputs)]),
      ];
      const steps = [...(time?.along[0]?.inputs ?? [])];
      const by = steps.slice(0, 1).map((input) => [solver, ...wayOf(input).filters].join(through));
      const along = solution.type.shape.map((_, axis) => ({
        inputs: new Set(axis === 0 ? [...steps, ...by] : []),
        varies: axis > 0 || (time?.along[0]?.varies ?? true),
      }));
      return { along, whole: new Set(whole.flatMap((inputs) => [...inputs])) };
    });
  });
}

/** Element i of what a filter lets through is of the i-th row that it keeps, and whether it keeps a row must lie in that row. */
function filtered(model: Model, id: string, lowering: Lowering, known: Known): void {
  const kept = conditionIn(model, id);
  const { links, outputs, node } = model.blocks.get(id)!;
  const ports = listPorts('values', (node.block as FilterBlock).values);
  outputs.forEach((_, output) => {
    const source = lowering.value(links.get(ports[output]!)!);
    known.set(lowering.value({ block: id, output }).id, (of) => {
      const { along, whole } = of(source);
      const [rows, ...axes] = along as [AlongAxis];
      const chosenBy = [...(kept.along[0]?.inputs ?? [])].map((name) =>
        name.startsWith(choosing) ? name : choosing + name,
      );
      const inputs = [...rows.inputs, ...chosenBy].map((input) => input + through + id);
      const varies = rows.varies || (kept.along[0]?.varies ?? false);
      return { along: [{ inputs: new Set(inputs), varies }, ...axes], whole: new Set([...whole, ...kept.whole]) };
    });
  });
}

/** On what the condition of a filter depends. */
function conditionIn(model: Model, id: string): Dependence {
  const lowering = loweringOf(model);
  const { links, detail } = model.blocks.get(id)!;
  lowering.lowerBlocks([...links.values()].map(({ block }) => block));
  const value = lowering.within(id, (_, context) => (detail as FilterDetail).condition(context));
  const program = lowering.builder.finish([{ name: 'kept', value }]);
  return dependenceOf(program, new Set(columnTables(model).keys()), knownIn(model, lowering))(value);
}

/** Of each element of what is row by row, in this model or on other rows: its row of the table. */
export function rowsBehind({ blocks }: Pick<Model, 'blocks'>, { columns, filters }: RowByRow): Int32Array {
  const count = blocks.get(columns[0]!)?.outputs[0]?.sizes[0]?.value ?? 0;
  return filters.reduce(
    (rows, id) => (blocks.get(id)!.detail as FilterDetail).kept.map((row) => rows[row]!),
    new Int32Array(upTo(count)),
  );
}

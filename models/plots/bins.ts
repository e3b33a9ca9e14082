/** Which quantity a histogram counts, and where its bins begin and end: found from what its keys are made of. */
import { asReal } from '../blocks/parts/convert.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { computeData } from '../graph/data.ts';
import { upstreamOf, type Comparison } from './comparisons.ts';
import { onOtherRows } from './finer.ts';
import { rowByRow } from './rows.ts';

export interface Bins {
  /** The column block whose values are counted. */
  readonly x: string;
  /** One more than there are bins, ascending. */
  readonly edges: Float64Array;
}

/** Undefined where nothing is counted: the observations are no histogram's. `unknown`: of what is not to be found out. */
export function binsOf(model: Model, { observed }: Comparison): Bins | 'unknown' | undefined {
  const counting = upstreamOf(model, [observed])
    .map((id) => model.blocks.get(id))
    .find((checked) => checked?.node.block.kind === 'histogram');
  if (!counting) return undefined;
  const keys = counting.links.get('keys');
  const bins = counting.outputs[0]?.sizes[0]?.value ?? 0;
  if (!keys || bins !== outputAt(model, observed).sizes[0]?.value || outputAt(model, keys).computed) return 'unknown';
  const known = rowByRow(model, keys);
  const [x, ...others] = known?.columns ?? [];
  const column = x === undefined ? undefined : model.blocks.get(x);
  const { block } = column?.node ?? {};
  const data = column?.outputs[0];
  if (x === undefined || others.length > 0 || block?.kind !== 'column' || data?.element !== 'real' || !data.data)
    return 'unknown';
  const keysAt = (values: Float64Array): ArrayLike<number> | undefined =>
    valuesOn(model, keys, { table: block.table, column: block.column, values });
  const edges = edgesOf(keysAt, data.data, bins);
  return edges ? { x, edges } : 'unknown';
}

function valuesOn(
  model: Model,
  link: Link,
  { table, column, values }: { readonly table: string; readonly column: string; readonly values: Float64Array },
): ArrayLike<number> | undefined {
  const other = onOtherRows(
    model,
    [link],
    [{ table, moved: new Map([[column, values]]), rows: new Int32Array(values.length) }],
  );
  return (
    other &&
    computeData(other.blocks, 'bins', new Map([['keys', link]]), (context) =>
      asReal(context.builder, context.input('keys')),
    )
  );
}

const points = 4096;
const interior = 63;
const rounds = 6;
/** Bins may begin and end that many ranges of the data away from them. */
const reaches = [1, 8];

/** Where the key first reaches 0, 1, …, bins, as q grows. Undefined where it does not rise with q, or reaches no end. */
function edgesOf(
  keysAt: (values: Float64Array) => ArrayLike<number> | undefined,
  data: ArrayLike<number>,
  bins: number,
): Float64Array | undefined {
  const finite = Array.from(data).filter(Number.isFinite);
  const [low, high] = finite.reduce(([a, b], q) => [Math.min(a, q), Math.max(b, q)], [Infinity, -Infinity]);
  if (!(high > low)) return undefined;
  for (const reach of reaches) {
    const room = reach * (high - low);
    const grid = Float64Array.from(
      { length: points },
      (_, i) => low - room + ((high - low + 2 * room) * i) / (points - 1),
    );
    const keys = keysAt(grid);
    if (!keys || !rises(keys)) return undefined;
    const brackets = bracketsIn(grid, keys, bins);
    if (brackets) return refined(keysAt, brackets);
  }
  return undefined;
}

const rises = (keys: ArrayLike<number>): boolean =>
  Array.from(keys).every((key, i) => Number.isNaN(key) || !(key < (keys[i - 1] ?? -Infinity)));

type Bracket = readonly [below: number, from: number];

function bracketsIn(grid: Float64Array, keys: ArrayLike<number>, bins: number): Bracket[] | undefined {
  const found: Bracket[] = [];
  for (let edge = 0, i = 0; edge <= bins; edge++) {
    while (i < grid.length && !(keys[i]! >= edge)) i++;
    if (i === 0 || i === grid.length) return undefined;
    found.push([grid[i - 1]!, grid[i]!]);
  }
  return found;
}

/** All brackets at once, each cut into 64 a round. */
function refined(
  keysAt: (values: Float64Array) => ArrayLike<number> | undefined,
  brackets: readonly Bracket[],
): Float64Array | undefined {
  let now = brackets;
  for (let round = 0; round < rounds; round++) {
    const inside = ([below, from]: Bracket): number[] =>
      Array.from({ length: interior }, (_, i) => below + ((from - below) * (i + 1)) / (interior + 1));
    const keys = keysAt(Float64Array.from(now.flatMap(inside)));
    if (!keys) return undefined;
    now = now.map((bracket, edge): Bracket => {
      const cuts = [...inside(bracket), bracket[1]];
      const reached = cuts.findIndex((_, i) => i === interior || keys[edge * interior + i]! >= edge);
      return [reached === 0 ? bracket[0] : cuts[reached - 1]!, cuts[reached]!];
    });
  }
  const [first, last] = [now[0]?.[1] ?? 0, now.at(-1)?.[1] ?? 0];
  const digits = 10 ** (9 - Math.ceil(Math.log10(Math.max(Math.abs(first), Math.abs(last), Number.MIN_VALUE))));
  return Float64Array.from(now, ([, from]) => Math.round(from * digits) / digits);
}

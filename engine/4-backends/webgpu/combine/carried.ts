/**
 * What each part of an axis begins with: the parts' totals, joined from the left and, where both ends are wanted, from the right.
 * Where parts are many, groups of them are joined first, then what each group begins with, and from there each part: three
 * short steps in place of one workgroup that goes through all.
 */
import type { Operator } from '../../../0-ir/operators.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import type { Dispatch, Kernel } from '../module.ts';
import { KernelWriter } from '../wgsl/kernel-writer.ts';
import { declarePartials, inclusiveLanes, loadPartial, storePartial } from './partial.ts';
import { Tuple } from './tuple.ts';

/** Totals that a lane joins one after the other, whose reads are under way together. */
const each = 4;

/** Scratch areas, by their numbers: of the parts their totals and what they begin with, then the same of the groups. */
export interface CarriedAreas {
  readonly parts: Areas;
  readonly groups: Areas;
}

interface Areas {
  readonly totals: number;
  readonly left: number;
  /** Where both ends are wanted. */
  readonly right?: number;
}

/** Parts of a group. */
const groupOf = (lanes: number): number => lanes * each;

export const groupCount = (parts: number, lanes: number): number => Math.ceil(parts / groupOf(lanes));

/** The kernels `schedule` asks for: groups' totals, what groups begin with, what a group's parts begin with; and all in one. */
export function carriedKernels(
  step: Pick<ScanStep, 'domain' | 'axis'>,
  operator: Operator,
  areas: CarriedAreas,
  lanes: number,
): Kernel[] {
  return [
    groupTotals(step, operator, areas, lanes),
    begins(step, operator, areas.groups, undefined, lanes, 1),
    begins(step, operator, areas.parts, areas.groups, lanes, 0),
    begins(step, operator, areas.parts, undefined, lanes, 0),
  ];
}

/** Of `items` results of so many parts; `first`: the number of the first of `carriedKernels`. */
export function carriedSchedule(first: number, items: number, parts: number, lanes: number, work: number): Dispatch[] {
  const groups = groupCount(parts, lanes);
  const words = [parts, groups, 0] as const;
  if (groups <= 2) return [{ kernel: first + 3, items, work: parts * work, words }];
  const ofGroup = groupOf(lanes) * work;
  return [
    { kernel: first, items: items * groups, work: ofGroup, words },
    { kernel: first + 1, items, work: groups * work, words },
    { kernel: first + 2, items: items * groups, work: 2 * ofGroup, words },
  ];
}

/** A lane's own totals, from `first` on, read together and then joined. */
function own(total: (at: string) => string, count: string, join: (k: number) => string): string[] {
  const all = Array.from({ length: each }, (_, k) => k);
  return [
    ...all.map((k) => `var total${k} = Partial();`),
    ...all.map((k) => `if (first + ${k} < ${count}) { total${k} = ${total(`first + ${k}`)}; }`),
    'var own = Partial();',
    ...all.map((k) => join(k)),
  ];
}

/** A workgroup for each group of each result; words: parts, groups. */
function groupTotals(
  step: Pick<ScanStep, 'domain' | 'axis'>,
  operator: Operator,
  { parts, groups }: CarriedAreas,
  lanes: number,
): Kernel {
  const writer = new KernelWriter();
  const tuple = new Tuple(writer, operator);
  declarePartials(writer, operator, lanes);
  const [count, groupsCount] = [writer.word(0), writer.word(1)];
  const total = (at: string): string =>
    loadPartial(writer, tuple, step, `result * ${count} + ${at}`, parts.totals, count);
  const store = storePartial(writer, tuple, step, 'item', `shared_partials[${lanes - 1}]`, groups.totals, groupsCount);
  return writer.finish(
    [
      `let result = item / ${groupsCount};`,
      `let first = item % ${groupsCount} * ${groupOf(lanes)} + lane * ${each};`,
      ...own(total, count, (k) => `own = join(own, total${k});`),
      ...inclusiveLanes(lanes),
      `if (lane == 0) { ${store.join(' ')} }`,
    ],
    lanes,
  );
}

/**
 * A workgroup for each result, which goes through all its parts, or, with what the groups begin with, for each group; `word`:
 * that of the number of parts.
 */
function begins(
  step: Pick<ScanStep, 'domain' | 'axis'>,
  operator: Operator,
  areas: Areas,
  groups: Areas | undefined,
  lanes: number,
  word: 0 | 1,
): Kernel {
  const writer = new KernelWriter();
  const tuple = new Tuple(writer, operator);
  declarePartials(writer, operator, lanes);
  const count = writer.word(word);
  const groupsCount = writer.word(1);
  const together = groupOf(lanes);
  const total = (at: string): string =>
    loadPartial(writer, tuple, step, `result * ${count} + ${at}`, areas.totals, count);
  const ends = areas.right === undefined ? (['left'] as const) : (['left', 'right'] as const);
  const all = Array.from({ length: each }, (_, k) => k);
  /** One turn: the parts from `start` on. */
  const turn = (end: 'left' | 'right'): string[] => {
    const area = areas[end] ?? areas.left;
    const [join, before, outer, order] =
      end === 'left'
        ? [
            (a: string, b: string) => `join(${a}, ${b})`,
            'if (lane > 0) { before = join(carry, shared_partials[lane - 1]); }',
            `carry = join(carry, shared_partials[${lanes - 1}]);`,
            all,
          ]
        : [
            (a: string, b: string) => `join(${b}, ${a})`,
            `if (lane < ${lanes - 1}) { before = join(shared_partials[lane + 1], carry); }`,
            'carry = join(shared_partials[0], carry);',
            all.toReversed(),
          ];
    const store = (k: number): string =>
      storePartial(writer, tuple, step, `result * ${count} + first + ${k}`, 'before', area, count).join(' ');
    return [
      `let first = start + lane * ${each};`,
      ...own(total, count, (k) => `own = join(own, total${k});`),
      ...inclusiveLanes(lanes, end),
      'var before = carry;',
      before,
      ...order.flatMap((k) => [
        `if (first + ${k} < ${count}) { ${store(k)} }`,
        `before = ${join('before', `total${k}`)};`,
      ]),
      outer,
      'workgroupBarrier();',
    ];
  };
  const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);
  const body = ends.flatMap((end) => {
    const loaded = groups && loadPartial(writer, tuple, step, 'item', groups[end] ?? groups.left, groupsCount);
    if (loaded !== undefined)
      return [
        `{`,
        `  var carry = ${loaded};`,
        `  let start = item % ${groupsCount} * ${together};`,
        ...indented(turn(end)),
        '}',
      ];
    const turns =
      end === 'left'
        ? `for (var start = 0; start < ${count}; start += ${together}) {`
        : `for (var start = (${count} - 1) / ${together} * ${together}; start >= 0; start -= ${together}) {`;
    return ['{', '  var carry = Partial();', `  ${turns}`, ...indented(indented(turn(end))), '  }', '}'];
  });
  return writer.finish([`let result = ${groups ? `item / ${groupsCount}` : 'item'};`, ...body], lanes);
}

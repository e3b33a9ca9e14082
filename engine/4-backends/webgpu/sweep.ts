/**
 * Both scans of a domain and what is made of them, in tiles: each tile's totals, what every tile begins with from either end,
 * then tile by tile prefixes, suffixes and the epilogue in a workgroup's own memory. Elements are read twice and results
 * written once, whatever the operators are.
 *
 * The totals of both scans are one tuple, combined in the order of the axis (swept.ts). A short axis is one thread's work,
 * there and back (sweep-alone.ts), and so is an item with a join in doubt (joins.ts).
 */
import { sizeProduct } from '../../0-ir/sizes.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { SweepStep } from '../../3-plan/plan.ts';
import { functionWork } from './cost.ts';
import { mayBeInDoubt } from './combine/joins.ts';
import type { Dispatch, GeneratedStep, Kernel, KernelFamily } from './module.ts';
import { declarePartials, inclusiveLanes, loadPartial, storePartial } from './combine/partial.ts';
import { isLong, partByPart } from './scan.ts';
import { back, there } from './sweep/sweep-alone.ts';
import { areas, beginSweep, groupAreas } from './sweep/sweep-points.ts';
import { sweptOf, type SeenScan, type Swept } from './sweep/swept.ts';
import { carriedKernels, carriedSchedule, groupCount } from './combine/carried.ts';
import { aheadOf, declareTile, runOf } from './combine/tile.ts';
import { cooperatingLanes } from './combine/tuple.ts';
import { wgslType } from './scalar/literal.ts';

export const sweep: KernelFamily<SweepStep> = {
  generate: (step) => generateSweep(step, sweptOf(step)),

  scratch({ items = 0, length = 0, arity = 1, seen = 1, tile = 1, lanes = 1, doubt = 0 }) {
    const isShort = !isLong(items, length);
    const partials = isShort ? 0 : items * Math.ceil(length / tile) * (arity + 1);
    const alone = isShort || doubt > 0 ? items : 0;
    const ofGroups = isShort ? 0 : items * groupCount(Math.ceil(length / tile), lanes) * (arity + 1);
    const ofItems = [isShort ? 0 : items * doubt, alone * length * seen, alone * (arity + 1)];
    return [partials, partials, partials, ...ofItems, ofGroups, ofGroups, ofGroups];
  },

  schedule({ items = 0, length = 0, tile = 1, lanes = 1, work = 1, doubt = 0 }) {
    const alone = (kernel: number): Dispatch[] => [
      ...partByPart(kernel, items, length),
      ...partByPart(kernel + 1, items, length).toReversed(),
    ];
    if (!isLong(items, length)) return alone(0).map((dispatch) => ({ ...dispatch, work: work * dispatch.work }));
    const tiles = Math.ceil(length / tile);
    const words = [tiles, 0, 0] as const;
    return [
      { kernel: 2, items: items * tiles, work: work * tile, words },
      ...carriedSchedule(4, items, tiles, lanes, 2 * work),
      { kernel: 3, items: items * tiles, work: 3 * work * tile, words },
      ...(doubt ? alone(8).map((dispatch) => ({ ...dispatch, again: true as const })) : []),
    ];
  },
};

function generateSweep(step: SweepStep, swept: Swept): GeneratedStep {
  const { operator, prologue, inputs, along, against, epilogue, beside } = swept;
  const arity = operator.neutral.length;
  // An element with what is seen of it both ways, and a lane's partial.
  const wordsEach = arity + along.types.length + against.types.length;
  const lanes = cooperatingLanes(wordsEach + arity + 1);
  const run = runOf(lanes, wordsEach, arity + 1);
  const doubt = mayBeInDoubt(operator);
  return {
    kernels: [
      there(step, swept, false),
      back(step, swept, false),
      totals(step, swept, lanes, run),
      tiles(step, swept, lanes, run),
      ...carriedKernels(step, operator, { parts: areas, groups: groupAreas }, lanes),
      ...(doubt ? [there(step, swept, true), back(step, swept, true)] : []),
    ],
    sizes: {
      items: sizeProduct(withoutAxis(step.domain, step.axis)),
      length: step.domain[step.axis]!,
      arity,
      seen: along.types.length,
      lanes,
      tile: lanes * run,
      doubt: doubt ? 1 : 0,
      work:
        2 * functionWork(operator.combine) +
        functionWork(prologue) +
        functionWork(epilogue) +
        3 * (inputs.length + beside.length + step.outputs.length + arity),
    },
  };
}

/** What `totals` and `tiles` have in common: a tile of a result, and each lane's run of it joined to `own`. */
function beginTiles(step: SweepStep, swept: Swept, lanes: number, run: number) {
  const begun = beginSweep(step, swept, 'result');
  const { writer, element, length, declarations } = begun;
  declarePartials(writer, swept.operator, lanes);
  const { operator, prologue, inputs } = swept;
  const ahead = aheadOf(operator.neutral.length, functionWork(prologue) + 2 * inputs.length);
  const tile = declareTile(writer, lanes, run, ahead);
  const count = writer.word(0);
  return {
    ...begun,
    tile,
    beginning: () => [
      `let result = item / ${count};`,
      ...declarations(),
      `let start = item % ${count} * ${tile.length};`,
      `let end = min(start + ${tile.length}, ${length});`,
    ],
    joining: [
      ...tile.bring([{ value: element, to: tile.at }]),
      'var own = Partial();',
      `for (var i = first; i < stop; i++) { own = append(own, Partial(${tile.at('i')}, filled)); }`,
      ...inclusiveLanes(lanes),
    ],
  };
}

/** A workgroup for each tile; word: the tiles of a result. */
function totals(step: SweepStep, swept: Swept, lanes: number, run: number): Kernel {
  const { writer, tuple, beginning, joining } = beginTiles(step, swept, lanes, run);
  const clear = mayBeInDoubt(swept.operator)
    ? [`if (start == 0) { arena[${writer.scratch(areas.doubt)} + result] = 0u; }`]
    : [];
  const store = storePartial(writer, tuple, step, 'item', `shared_partials[${lanes - 1}]`, areas.totals);
  return writer.finish([...beginning(), ...clear, ...joining, `if (lane == 0) { ${store.join(' ')} }`], lanes);
}

/** A workgroup for each tile: a lane goes there and back over its run, then neighbours write what neighbours show. */
function tiles(step: SweepStep, swept: Swept, lanes: number, run: number): Kernel {
  const { writer, tuple, tile, points, beginning, joining } = beginTiles(step, swept, lanes, run);
  const { along, against, operator } = swept;
  const places = lanes * (run === 1 ? 1 : run + 1);
  const declare = (name: string, { types }: SeenScan): void => {
    writer.declare(`struct Seen_${name} { ${types.map((type, i) => `c${i}: ${wgslType(type)}`).join(', ')} }
var<workgroup> ${name}: array<Seen_${name}, ${places}>;`);
  };
  declare('prefixes', along);
  declare('suffixes', against);
  const place = tile.at('i').replace('tile', '');
  /** What is seen of `sum`, before the element joins it or after. */
  const passing = (name: string, seen: SeenScan, join: string): string[] => {
    const value = `${name}${place} = Seen_${name}(${points.seen(seen, 'sum.value', 'sum.state == 0u').join(', ')});`;
    return seen.exclusive ? [`  ${value}`, `  ${join}`] : [`  ${join}`, `  ${value}`];
  };
  const doubt = mayBeInDoubt(operator)
    ? [
        'if (((left.state | right.state) & doubtful) != 0u && first < stop) {',
        `  arena[${writer.scratch(areas.doubt)} + result] = 1u;`,
        `  ${writer.doubt()}`,
        '}',
      ]
    : [];
  const shown = (name: string, { types }: SeenScan): string[] => types.map((_, i) => `${name}${place}.c${i}`);
  return writer.finish(
    [
      ...beginning(),
      ...points.declarations,
      `var left = ${loadPartial(writer, tuple, step, 'item', areas.left)};`,
      `var right = ${loadPartial(writer, tuple, step, 'item', areas.right)};`,
      ...joining,
      'if (lane > 0) { left = join(left, shared_partials[lane - 1]); }',
      'workgroupBarrier();',
      ...inclusiveLanes(lanes, 'right'),
      `if (lane < ${lanes - 1}) { right = join(shared_partials[lane + 1], right); }`,
      ...doubt,
      'var sum = left;',
      'for (var i = first; i < stop; i++) {',
      ...passing('prefixes', along, `sum = append(sum, Partial(${tile.at('i')}, filled));`),
      '}',
      'sum = right;',
      'for (var i = stop - 1; i >= first; i--) {',
      ...passing('suffixes', against, `sum = append(Partial(${tile.at('i')}, filled), sum);`),
      '}',
      'workgroupBarrier();',
      `for (var at = start + lane; at < end; at += ${lanes}) {`,
      '  let i = at - start;',
      ...points
        .write('at', tile.at('i'), [...shown('prefixes', along), ...shown('suffixes', against)])
        .map((line) => `  ${line}`),
      '}',
    ],
    lanes,
  );
}

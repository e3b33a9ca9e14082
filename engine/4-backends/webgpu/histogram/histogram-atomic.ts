/**
 * Histograms without locks, for operators of an atomic form: a word for each bin and component holds an image of the value
 * so far. Where the bins are few, each workgroup combines its elements in memory of its own first and then its bins with
 * everybody's; otherwise a thread for each element goes to the bins themselves. An element is read once in each pass.
 */
import { componentTypes } from '../../../0-ir/operators.ts';
import { sizeProduct } from '../../../0-ir/sizes.ts';
import { withoutAxis } from '../../../0-ir/types.ts';
import type { HistogramStep } from '../../../3-plan/plan.ts';
import type { AtomicForm, AtomicRound } from './atomic-form.ts';
import { beginBinned, chunkAlong, chunkOfColumns, columnsOf, columnsTogether } from './binned.ts';
import { functionWork } from '../cost.ts';
import { KernelWriter, readSource, sourceBase } from '../wgsl/kernel-writer.ts';
import type { Dispatch, GeneratedStep, Kernel, SizeValues } from '../module.ts';
import { imageText } from './order-image.ts';
import { Space } from '../wgsl/space.ts';

const lanes = 64;
/** Words of a workgroup's own bins. */
const ownWords = 3072;
/** Elements of a workgroup at least, so that its own bins are worth their merging. */
const share = 4096;
const sharePerBin = 8;

export function generateAtomic(step: HistogramStep, form: AtomicForm): GeneratedStep {
  return {
    kernels: [
      start(step, form),
      finish(step, form),
      ...form.flatMap((_, pass) => [combine(step, form, pass, true), combine(step, form, pass, false)]),
    ],
    sizes: {
      items: sizeProduct(withoutAxis(step.domain, step.batch)),
      length: step.domain[step.batch]!,
      columns: columnsOf(step),
      bins: step.bins,
      rounds: step.operator.neutral.length,
      passes: form.length,
      capacity: capacityOf(form),
      work: functionWork(step.prologue) + 3 * step.inputs.length + 8,
    },
  };
}

/** Bins of which a workgroup can keep all words of a pass. */
function capacityOf(form: AtomicForm): number {
  const tables = form.map((rounds) => rounds.length + rounds.filter(({ winnersOf }) => winnersOf !== undefined).length);
  return Math.floor(ownWords / Math.max(...tables));
}

export function atomicScratch({ items = 0, bins = 0, rounds = 1 }: SizeValues): number[] {
  return [items * bins * rounds];
}

export function atomicSchedule(sizes: SizeValues): Dispatch[] {
  const { items = 0, length = 0, columns = 1, bins = 0, rounds = 1, passes = 1, capacity = 0, work = 1 } = sizes;
  // Where elements are fewer than bins, merging would take longer than combining.
  const fits = bins <= Math.min(capacity, length);
  const together = fits ? columnsTogether(columns, bins, capacity) : 1;
  const each = fits ? Math.ceil(Math.max(share / together, sharePerBin * bins)) : 1;
  const chunks = Math.ceil(length / each);
  const parts = (items / Math.max(columns, 1)) * Math.ceil(columns / together);
  const around = { items: items * bins, work: 4 * rounds };
  return [
    { kernel: 0, ...around },
    ...Array.from({ length: passes }, (_, pass) => ({
      kernel: 2 + 2 * pass + (fits ? 0 : 1),
      items: parts * chunks,
      work: together * (work * Math.min(each, length) + (fits ? 4 * bins : 0)),
      words: [chunks, each, 1] as const,
    })),
    { kernel: 1, ...around },
  ];
}

/** A thread for each bin of each batch and trailing point, [batch…, bins, trailing…]. */
function beginBins(step: HistogramStep, form: AtomicForm) {
  const writer = new KernelWriter();
  const { batch, domain } = step;
  const space = new Space(writer, [...domain.slice(0, batch), step.bins, ...domain.slice(batch + 1)], 'item');
  return { writer, space, images: declareImages(writer, step, form) };
}

/** Declares each component's image; what gives the word of its table at a bin. */
function declareImages(writer: KernelWriter, step: HistogramStep, form: AtomicForm) {
  for (const name of ['is_nan', 'is_zero', 'is_negative', 'nan'] as const) writer.use(name);
  const types = componentTypes(step.operator);
  for (const { component, combination } of form.flat())
    writer.declare(imageText(types[component]!, combination, `${component}`));
  const table = writer.size(sizeProduct([sizeProduct(withoutAxis(step.domain, step.batch)), step.bins]));
  return (component: number, at: string) => `arena[${writer.scratch(0)} + ${component} * ${table} + ${at}]`;
}

/** Initial contents, or neutral elements. */
function start(step: HistogramStep, form: AtomicForm): Kernel {
  const { writer, space, images } = beginBins(step, form);
  const types = componentTypes(step.operator);
  const values = types.map((type, i) => {
    const source = step.initial?.[i];
    return source
      ? readSource(writer, source, space.address(sourceBase(writer, source), source.strides))
      : writer.literal(type, step.operator.neutral[i]!);
  });
  const lines = values.map((value, i) => `${images(i, 'item')} = image${i}(${value});`);
  return writer.finish([...space.declarations(), ...lines]);
}

function finish(step: HistogramStep, form: AtomicForm): Kernel {
  const { writer, space, images } = beginBins(step, form);
  const types = componentTypes(step.operator);
  const lines = step.outputs.map((output, i) =>
    writer.store(types[i]!, space.address(writer.place(output), output.strides), `number${i}(${images(i, 'item')})`),
  );
  return writer.finish([...space.declarations(), ...lines]);
}

/**
 * A pass over the elements. `own`: by a workgroup with bins of its own, for a chunk of some columns (binned.ts); otherwise by
 * a thread, for its one element of a batch and trailing point; words: chunks, elements of a chunk, 1.
 */
function combine(step: HistogramStep, form: AtomicForm, pass: number, own: boolean): Kernel {
  const rounds = form[pass]!;
  const { writer, space, known, element, key, bins } = beginBinned(step, new KernelWriter(true));
  const images = declareImages(writer, step, form);
  const winners = rounds.flatMap(({ winnersOf }) => winnersOf ?? []);
  const update = ({ combination }: AtomicRound, to: string, image: string): string =>
    `${combinations[combination].atomic}(&${to}, ${image});`;
  /** Statements that combine the element at `at`, whose key is `key`; `place` and `bestOf` are where its bin is. */
  const combineElement = (place: (component: number) => string, bestOf: (component: number) => string): string[] => [
    `let value = ${element};`,
    ...rounds.map((round) => {
      const { component, winnersOf } = round;
      const act = update(round, place(component), `image${component}(value.c${component})`);
      return winnersOf === undefined
        ? act
        : `if (image${winnersOf}(value.c${winnersOf}) == ${bestOf(winnersOf)}) { ${act} }`;
    }),
  ];
  const ifKnown = (lines: readonly string[]): string[] => [
    `let key = ${key};`,
    `if (key >= 0 && key < ${bins}) {`,
    ...lines.map((line) => `  ${line}`),
    '}',
  ];
  if (!own) {
    const trailing = writer.size(columnsOf(step));
    const shared = (component: number): string => images(component, `first_bin + key * ${trailing}`);
    return writer.finish([
      ...chunkAlong(writer, space, step, known),
      `let first_bin = place / ${trailing} * ${bins} * ${trailing} + place % ${trailing};`,
      'for (var at = first; at < stop; at++) {',
      ...ifKnown(combineElement(shared, (best) => `atomicLoad(&${shared(best)})`)).map((line) => `  ${line}`),
      '}',
    ]);
  }
  const capacity = capacityOf(form);
  for (const { component } of rounds)
    writer.declare(`var<workgroup> own${component}: array<atomic<u32>, ${capacity}>;`);
  for (const best of winners) writer.declare(`var<workgroup> best${best}: array<u32, ${capacity}>;`);
  const chunk = chunkOfColumns(writer, space, step, capacity, known);
  const shared = (component: number): string => images(component, chunk.binAt('leading', 'bin'));
  const overBins = (lines: readonly string[]): string[] => [
    `for (var bin = lane; bin < all_bins; bin += ${lanes}) {`,
    ...lines.map((line) => `  ${line}`),
    '}',
  ];
  const before = [
    ...rounds.map(
      ({ component, combination }) => `atomicStore(&own${component}[bin], ${combinations[combination].identity});`,
    ),
    ...winners.map((best) => `best${best}[bin] = atomicLoad(&${shared(best)});`),
  ];
  const after = rounds.map(
    (round) =>
      `let met${round.component} = atomicLoad(&own${round.component}[bin]); ` +
      `if (met${round.component} != ${combinations[round.combination].identity}) { ${update(round, shared(round.component), `met${round.component}`)} }`,
  );
  const combined = combineElement(
    (component) => `own${component}[bin]`,
    (best) => `best${best}[bin]`,
  );
  return writer.finish(
    [
      ...chunk.begin,
      ...overBins(before),
      'workgroupBarrier();',
      `for (var number = first + lane; number < stop; number += ${lanes}) {`,
      ...[...chunk.at('number'), ...ifKnown([`let bin = ${chunk.bin};`, ...combined])].map((line) => `  ${line}`),
      '}',
      'workgroupBarrier();',
      ...overBins(after),
    ],
    lanes,
  );
}

/** The native operation, and the image that changes nothing. */
const combinations = {
  add: { atomic: 'atomicAdd', identity: '0u' },
  min: { atomic: 'atomicMin', identity: '0xffffffffu' },
  max: { atomic: 'atomicMax', identity: '0u' },
} as const;

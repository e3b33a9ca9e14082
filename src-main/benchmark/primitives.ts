/** The primitives against a copy of the same bytes, on the same device. */
import { builtinOperator, type Device } from '../../engine/index.ts';
import { elementsOf } from './datasets.ts';
import { measureCopy, traffic } from './copy.ts';
import { figure, milliseconds, percent, count } from './shown.ts';
import { n, type Subject, SubjectBuilder, timeSubject } from './subject.ts';
import { type Measurement, type Output, realBytes, type Suite, type SuiteOptions } from './suite.ts';

export interface PrimitiveMeasurement extends Measurement {
  readonly ms: number;
  /** Of the least traffic, a write counted as in the floors. */
  readonly GBs: number;
  /** Of the copy's bandwidth. */
  readonly ofCopy: number;
}

interface Primitive {
  readonly name: string;
  readonly subject: Subject;
  /** Words of each element that must be read and written: of a real's size, and of keys and positions, which have four bytes. */
  readonly reals: readonly [read: number, written: number];
  readonly words: readonly [read: number, written: number];
}

const bins = 401;

function primitive(
  name: string,
  reals: Primitive['reals'],
  words: Primitive['words'],
  write: (b: SubjectBuilder) => ReturnType<SubjectBuilder['value']>[],
): Primitive {
  const b = new SubjectBuilder();
  const results = write(b).map((value, i) => ({ name: `y${i}`, value }));
  return { name, reals, words, subject: { program: b.finish(results), ranges: b.ranges, fixed: new Set() } };
}

const none = [0, 0] as const;
const add = builtinOperator('add');

const kernels: readonly Primitive[] = [
  primitive('map', [1, 1], none, (b) => [b.elementwise([b.data('x', [0, 1])], (s, x) => s.apply('neg', x), [n])]),
  primitive('reduce', [1, 0], none, (b) => b.reduce(add, [b.data('x', [0, 1])], 0)),
  primitive('scan', [1, 1], none, (b) => b.scan(add, [b.data('x', [0, 1])], 0)),
  primitive('histogram', [1, 0], [1, 0], (b) => b.histogram(add, b.keys('keys', bins), [b.data('x', [0, 1])], bins)),
  primitive('sort', none, [1, 1], (b) => [b.sortPermutation(b.keys('keys', 2 ** 31))]),
];

async function measurePrimitive(device: Device, { subject, reals, words }: Primitive, length: number) {
  const { milliseconds: ms, runs } = await timeSubject(device, subject, subject.program, length);
  const bytes = length * (realBytes(device) * traffic(device, ...reals) + 4 * traffic(device, ...words));
  return { ms, runs, bytesPerMillisecond: bytes / ms };
}

export const primitives: Suite<PrimitiveMeasurement> = {
  names: ['copy', ...kernels.map(({ name }) => name)],
  columns: [
    { heading: 'row', text: 24, cell: ({ row }) => row },
    { heading: 'n', cell: ({ n: length }) => count(length) },
    { heading: 'time', cell: ({ ms }) => milliseconds(ms) },
    { heading: 'GB/s', cell: ({ GBs }) => figure(GBs) },
    { heading: 'of the copy', cell: ({ ofCopy }) => percent(ofCopy) },
    { heading: 'runs', cell: ({ runs }) => String(runs) },
  ],
  async run(
    device: Device,
    { only, dataset, elements }: SuiteOptions,
    { row, progress }: Output<PrimitiveMeasurement>,
  ) {
    const length = elementsOf(dataset, elements);
    const { kind, precision } = device;
    progress('copy');
    const copy = await measureCopy(device, length);
    const write = (name: string, ms: number, runs: number, bytesPerMillisecond: number): void =>
      row({
        row: name,
        n: length,
        device: kind,
        precision,
        runs,
        ms,
        GBs: bytesPerMillisecond / 1e6,
        ofCopy: bytesPerMillisecond / copy.bytesPerMillisecond,
      });
    if ('copy'.startsWith(only)) write('copy', copy.milliseconds, copy.runs, copy.bytesPerMillisecond);
    for (const each of kernels.filter(({ name }) => name.startsWith(only))) {
      progress(each.name);
      const { ms, runs, bytesPerMillisecond } = await measurePrimitive(device, each, length);
      write(each.name, ms, runs, bytesPerMillisecond);
    }
  },
};

/**
 * Nine things that a user would otherwise ask PyTorch for, forward and forward + backward. build/benchmarks/pytorch.py
 * runs the same there; `--pytorch FILE` sets its figures beside ours. Both should be of one session on one machine.
 */
import { builtinOperator, type Device, profiles, realLiteral, type Value, vjp } from '../../engine/index.ts';
import { elementsOf } from './datasets.ts';
import { count, milliseconds, ratio } from './shown.ts';
import { n, type Subject, SubjectBuilder, timeSubject } from './subject.ts';
import type { Measurement, Output, PyTorchTime, Suite, SuiteOptions } from './suite.ts';

export interface PyTorchMeasurement extends Measurement {
  readonly forwardMs: number;
  /** Forward + backward. */
  readonly totalMs: number;
  readonly pytorchForwardMs: number | null;
  readonly pytorchTotalMs: number | null;
  /** How many times as long PyTorch takes, forward + backward. */
  readonly times: number | null;
}

interface Row {
  readonly name: string;
  readonly subject: Subject;
}

const bins = 401;
/** Where products neither overflow nor vanish. */
const nearOne = [0.999, 1.001] as const;

function row(name: string, write: (b: SubjectBuilder) => readonly Value[]): Row {
  const b = new SubjectBuilder();
  const results = write(b).map((value, i) => ({ name: `y${i}`, value }));
  return { name, subject: { program: b.finish(results), ranges: b.ranges, fixed: new Set() } };
}

const [add, max, multiply] = [builtinOperator('add'), builtinOperator('max'), builtinOperator('multiply')];

const rows: readonly Row[] = [
  row('sum', (b) => b.reduce(add, [b.data('x', [0, 1])], 0)),
  row('max', (b) => b.reduce(max, [b.data('x', [0, 1])], 0)),
  row('prod', (b) => b.reduce(multiply, [b.data('x', nearOne)], 0)),
  row('cumsum', (b) => b.scan(add, [b.data('x', [0, 1])], 0)),
  row('cumprod', (b) => b.scan(multiply, [b.data('x', nearOne)], 0)),
  row('index_add', (b) => b.histogram(add, b.keys('keys', bins), [b.data('x', [0, 1])], bins)),
  row('scatter_reduce amax', (b) => b.histogram(max, b.keys('keys', bins), [b.data('x', [0, 1])], bins)),
  row('scatter_reduce prod', (b) => b.histogram(multiply, b.keys('keys', bins), [b.data('x', nearOne)], bins)),
  row('sum of squares', (b) => {
    const squares = b.elementwise(
      [b.data('x', [0, 1])],
      (s, x) => {
        const residual = s.apply('sub', x, s.apply('exp', s.apply('mul', realLiteral(-0.3), x)));
        return s.apply('mul', residual, residual);
      },
      [n],
    );
    return b.reduce(add, [squares], 0);
  }),
];

const shownTime = (time: number | null): string => (time === null ? '' : milliseconds(time));

export const pytorch: Suite<PyTorchMeasurement> = {
  names: rows.map(({ name }) => name),
  columns: [
    { heading: 'row', text: 24, cell: (measured) => measured.row },
    { heading: 'n', cell: (measured) => count(measured.n) },
    { heading: 'forward', cell: ({ forwardMs }) => milliseconds(forwardMs) },
    { heading: 'forward + backward', cell: ({ totalMs }) => milliseconds(totalMs) },
    { heading: 'PyTorch forward', cell: ({ pytorchForwardMs }) => shownTime(pytorchForwardMs) },
    { heading: 'PyTorch forward + backward', cell: ({ pytorchTotalMs }) => shownTime(pytorchTotalMs) },
    { heading: 'times', cell: ({ times }) => (times === null ? '' : ratio(times)) },
  ],
  summary(measured) {
    const times = measured.flatMap((one) => (one.times === null ? [] : [one.times]));
    if (times.length === 0) return undefined;
    const mean = Math.exp(times.reduce((sum, time) => sum + Math.log(time), 0) / times.length);
    return `Forward + backward, PyTorch takes ${ratio(mean)} times as long in the geometric mean of ${times.length} rows, ${ratio(Math.min(...times))} times at least.`;
  },
  async run(
    device: Device,
    { only, dataset, elements, pytorch: theirs }: SuiteOptions,
    output: Output<PyTorchMeasurement>,
  ) {
    const length = elementsOf(dataset, elements);
    const known = new Map<string, PyTorchTime>(
      theirs.filter((time) => time.n === length).map((time) => [time.row, time]),
    );
    if (theirs.length > 0 && known.size === 0)
      output.note(`PyTorch was not timed at n = ${count(length)}: its column is left empty`);
    for (const { name, subject } of rows.filter((candidate) => candidate.name.startsWith(only))) {
      output.progress(name);
      const both = vjp(subject.program, { profile: profiles[device.kind] });
      const forward = await timeSubject(device, subject, subject.program, length);
      const total = await timeSubject(device, subject, both, length);
      const time = known.get(name);
      const times = time ? time.totalMs / total.milliseconds : null;
      output.row({
        row: name,
        n: length,
        device: device.kind,
        precision: device.precision,
        runs: total.runs,
        forwardMs: forward.milliseconds,
        totalMs: total.milliseconds,
        pytorchForwardMs: time?.forwardMs ?? null,
        pytorchTotalMs: time?.totalMs ?? null,
        times,
      });
    }
  },
};

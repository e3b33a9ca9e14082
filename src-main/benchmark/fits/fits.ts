/** Iterations of fits: how long one takes, how that grows with the data, and how far it is from one pass over them. */
import { type Device, OutOfMemory } from '../../../engine/index.ts';
import { type Copy, measureCopy, traffic } from '../copy.ts';
import { elementsOf } from '../datasets.ts';
import { count, figure, milliseconds, percent } from '../shown.ts';
import { timeSubject } from '../subject.ts';
import { type Measurement, type Output, realBytes, type Suite, type SuiteOptions } from '../suite.ts';
import { iterationPrograms, type Quantity } from './iteration.ts';
import { type FitModel, fitModels } from './models.ts';

export interface FitMeasurement extends Measurement {
  readonly quantity: Quantity;
  readonly microseconds: number;
  readonly nsPerElement: number;
  /** Of the time, for each factor of ten in n: 10 is linear. Null for the first n. */
  readonly growth: number | null;
  /** The time in which the copy moves what one pass must move, over this one. */
  readonly ofCopy: number;
  /** Compiling, binding and the first run. */
  readonly firstMs: number;
}

const quantities: readonly Quantity[] = ['loss', 'gradient', 'normal equations'];

/** 10², 10³, … up to `most`. */
function decades(most: number): number[] {
  const lengths: number[] = [];
  for (let n = 100; n < most; n *= 10) lengths.push(n);
  return [...lengths, most];
}

/** Of one pass: what the model reads and writes of each element. */
function leastBytes(device: Device, { reads, writes, keys }: FitModel, n: number, quantity: Quantity): number {
  return n * (realBytes(device) * traffic(device, reads, quantity === 'loss' ? 0 : writes) + 4 * keys);
}

export const fits: Suite<FitMeasurement> = {
  names: fitModels.map(({ name }) => name),
  columns: [
    { heading: 'row', text: 24, cell: ({ row }) => row },
    { heading: 'quantity', text: 16, cell: ({ quantity }) => quantity },
    { heading: 'n', cell: ({ n }) => count(n) },
    {
      heading: 'iteration',
      cell: ({ microseconds }) =>
        microseconds < 1000 ? `${figure(microseconds)} µs` : milliseconds(microseconds / 1000),
    },
    { heading: 'ns/element', cell: ({ nsPerElement }) => figure(nsPerElement) },
    { heading: 'growth', cell: ({ growth }) => (growth === null ? '' : `× ${figure(growth)}`) },
    { heading: 'of the copy', cell: ({ ofCopy }) => percent(ofCopy) },
    { heading: 'first', cell: ({ firstMs }) => milliseconds(firstMs) },
    { heading: 'runs', cell: ({ runs }) => String(runs) },
  ],
  async run(
    device: Device,
    { only, dataset, elements }: SuiteOptions,
    { row, progress, note }: Output<FitMeasurement>,
  ) {
    const lengths = decades(elementsOf(dataset, elements));
    const copies = new Map<number, Copy>();
    for (const n of lengths) {
      progress(`copy of ${count(n)}`);
      copies.set(n, await measureCopy(device, n));
    }
    for (const model of fitModels.filter(({ name }) => name.startsWith(only)))
      for (const quantity of quantities) {
        const program = iterationPrograms[quantity](model);
        if (!program) continue;
        let before: { readonly n: number; readonly time: number } | undefined;
        for (const n of lengths) {
          const place = `${model.name}, ${quantity}, n = ${count(n)}`;
          progress(place);
          try {
            const {
              milliseconds: time,
              runs,
              firstMilliseconds,
            } = await timeSubject(device, model.subject, program, n);
            row({
              row: model.name,
              quantity,
              n,
              device: device.kind,
              precision: device.precision,
              runs,
              microseconds: 1e3 * time,
              nsPerElement: (1e6 * time) / n,
              growth: before ? (time / before.time) ** (1 / Math.log10(n / before.n)) : null,
              ofCopy: leastBytes(device, model, n, quantity) / copies.get(n)!.bytesPerMillisecond / time,
              firstMs: firstMilliseconds,
            });
            before = { n, time };
          } catch (error) {
            if (!(error instanceof OutOfMemory)) throw error;
            note(`${place}: ${error.message}`);
            break;
          }
        }
      }
  },
};

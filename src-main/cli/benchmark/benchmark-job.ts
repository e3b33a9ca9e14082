/** What passes between the command line, which prints and hears Ctrl-C, and the thread that measures. */
import type { SuiteName } from '../../benchmark/names.ts';
import type { Measurement, SuiteOptions } from '../../benchmark/suite.ts';
import type { Precision } from '../../../engine/index.ts';
import type { DeviceChoice } from '../../device-choice.ts';

export interface BenchmarkJob extends SuiteOptions {
  readonly suite: SuiteName;
  readonly device: DeviceChoice;
  readonly precision: Precision;
  /** Of the CPU; all unless said. */
  readonly threads: number | undefined;
}

export type FromBenchmark =
  | { readonly type: 'row'; readonly row: Measurement }
  | { readonly type: 'progress' | 'note' | 'refused'; readonly text: string }
  | { readonly type: 'done' };

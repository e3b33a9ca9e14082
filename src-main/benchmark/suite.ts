/** What the suites of benchmarks have in common. */
import type { Device, DeviceKind, Precision } from '../../engine/index.ts';
import type { Dataset } from './datasets.ts';

export interface SuiteOptions {
  /** Rows that begin with it. */
  readonly only: string;
  readonly dataset: Dataset;
  /** Elements of D1; 10⁷ but in tests. */
  readonly elements: number;
  /** What the rows of the suite `pytorch` take there. */
  readonly pytorch: readonly PyTorchTime[];
}

export interface PyTorchTime {
  readonly row: string;
  readonly n: number;
  readonly forwardMs: number;
  /** Forward + backward. */
  readonly totalMs: number;
}

/** Where rows go as they are measured, and what there is to say beside them. */
export interface Output<Row> {
  row(row: Row): void;
  /** What is being measured now. */
  progress(text: string): void;
  note(text: string): void;
}

/** Of the table for people. */
export interface Column<Row> {
  readonly heading: string;
  /** How wide a column of text is on a terminal. Without it, the column is of numbers, which stand at the right. */
  readonly text?: number;
  cell(row: Row): string;
}

export interface Suite<Row> {
  /** Of every row that there is, with bins or n left out. */
  readonly names: readonly string[];
  readonly columns: readonly Column<Row>[];
  /** What the rows come to, in a sentence or two; undefined where there is nothing to add. */
  summary?(rows: readonly Row[]): string | undefined;
  run(device: Device, options: SuiteOptions, output: Output<Row>): Promise<void>;
}

/** What every row says first. */
export interface Measurement {
  readonly row: string;
  readonly n: number;
  readonly device: DeviceKind;
  readonly precision: Precision;
  readonly runs: number;
}

/** Bytes of a real number on a device. */
export function realBytes({ precision }: { readonly precision: Precision }): number {
  return precision === 'f64' ? 8 : 4;
}

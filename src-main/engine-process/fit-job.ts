import type { DeviceKind, Precision } from '../../engine/5-runtime/device.ts';
import type { Location, RequestInput } from '../contract.ts';

export type DeviceChoice = DeviceKind | 'auto';

/** Parameter values by block: a number, or an array's elements in row-major order. */
export type ParameterValues = RequestInput<'model.evaluate'>['parameters'];

/** Where and how to compute: `auto` and f64 unless said. */
export interface ComputeOptions {
  readonly device?: DeviceChoice | undefined;
  readonly precision?: Precision | undefined;
}

export interface FitJob extends ComputeOptions {
  readonly document: Record<string, unknown>;
  readonly location: Location;
  /** Where to begin; all others at their initial values. */
  readonly parameters: ParameterValues;
  /** The document's own method, unless said. */
  readonly method?: string | undefined;
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
}

import type { AdamOptions } from '../../engine/index.ts';
import type { ComputeOptions } from '../compute/running/devices.ts';
import type { ParameterValues } from '../compute/running/run.ts';
import type { Location } from '../contract/contract.ts';

/** What a worker fits: from the window what the contract has, from the command line all of it. */
export interface FitJob extends ComputeOptions {
  readonly document: Readonly<Record<string, unknown>>;
  readonly location: Location;
  /** Where to begin; all others at their initial values. */
  readonly parameters: ParameterValues;
  /** Where its free parameters begin instead: those of an earlier fit. */
  readonly start?: ParameterValues | undefined;
  readonly method?: string | undefined;
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
  readonly maxIterations?: number | undefined;
  readonly adam?: AdamOptions | undefined;
}

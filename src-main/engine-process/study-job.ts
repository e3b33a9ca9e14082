import type { ComputeOptions } from '../compute/running/devices.ts';
import type { ParameterValues } from '../compute/running/run.ts';
import type { Location } from '../contract/contract.ts';
import type { StudyRequest } from '../contract/studies.ts';

/** What a worker studies: from the window what the contract has, from the command line also where to compute. */
export interface StudyJob extends ComputeOptions {
  readonly document: Readonly<Record<string, unknown>>;
  readonly location: Location;
  readonly parameters: ParameterValues;
  readonly study: StudyRequest;
}

/** The contest of `import`: which shapes of the library, fitted to what readings, and what came out of it. */
import { cpuDevice } from '../../../engine/index.ts';
import type { Readings } from '../../../models/experiment/readings.ts';
import type { Noise } from '../../../models/experiment/roles.ts';
import type { SaidSharing } from '../../../models/experiment/sharing.ts';
import { shapeNamed } from '../../../models/library/index.ts';
import { contest } from '../../compute/contest.ts';

export interface ContestJob {
  readonly name: string;
  readonly readings: Readings;
  /** One shape of the library alone. */
  readonly shape: string | undefined;
  readonly sharing: SaidSharing | undefined;
  /** Its first word stops it. */
  readonly cancel: Int32Array;
}

export interface Found {
  readonly shape: string;
  readonly noise: Noise;
  readonly document: Readonly<Record<string, unknown>>;
  /** Free elements. */
  readonly count: number;
  readonly aicc: number;
  readonly objective: number;
}

export type FromContest =
  | { readonly type: 'progress'; readonly share: number }
  | { readonly type: 'done'; readonly contestants: readonly Found[] };

export async function fight(
  { readings, shape, ...request }: ContestJob,
  onProgress: (share: number) => void,
): Promise<readonly Found[]> {
  const device = cpuDevice();
  try {
    const known = shape === undefined ? undefined : shapeNamed(shape);
    const found = await contest(readings, device, { ...request, shape: known, onProgress });
    return found.map(({ candidate, model, report, aicc, objective }) => ({
      ...{ shape: candidate.shape.name, noise: candidate.noise, document: model.document },
      ...{ count: report.parameters.length, aicc, objective },
    }));
  } finally {
    device.close();
  }
}

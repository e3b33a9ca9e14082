/**
 * Work that outlives its GPU. A driver is reset, a window with a GPU dies: nothing that was there can be read, and the work
 * goes on, on the GPU once that is opened again, or on the CPU where it is lost time after time.
 */
import { DeviceLost, type Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { FitReport } from '../contract/contract.ts';
import { Refused } from '../refused.ts';
import type { ComputeOptions, Devices } from './running/devices.ts';
import { fitModel, type FitRequest } from './fit/fit.ts';
import { GpuLost } from './running/refusals.ts';
import { elementsOf } from './running/run.ts';

/** A GPU that is lost more often than this in one piece of work is given up for it. */
const mostLosses = 3;

export interface Loss {
  /** What is known of it, as part of a sentence. */
  readonly why: string;
  /** Where the work goes on. */
  readonly device: Device;
}

/** `work` is done again, from wherever it may go on, on a device that is still there; `onLoss` hears of each loss before. */
export async function outlivingGpu<T>(
  devices: Devices,
  options: ComputeOptions,
  elements: number,
  work: (device: Device) => Promise<T>,
  onLoss: (loss: Loss) => void = () => undefined,
): Promise<T> {
  let why: string | undefined;
  for (let losses = 0; ; losses++) {
    try {
      const device = await (losses === 0 ? devices.choose(options, elements) : another(losses));
      if (why !== undefined) onLoss({ why, device });
      return await work(device);
    } catch (error) {
      if (!(error instanceof GpuLost || error instanceof DeviceLost)) throw error;
      why = error.message;
    }
  }

  async function another(losses: number): Promise<Device> {
    const onCpu = (): Promise<Device> => devices.choose({ ...options, device: 'cpu' }, elements);
    if (losses > mostLosses) return onCpu();
    try {
      return await devices.choose(options, elements);
    } catch (error) {
      if (error instanceof Refused) return onCpu();
      throw error;
    }
  }
}

/**
 * A fit that goes on from its best point. Of many starts all begin again: which of them leads where is theirs to find, and
 * the same starts find the same.
 */
export async function fitOutlivingGpu(
  model: Model,
  devices: Devices,
  options: ComputeOptions,
  request: FitRequest,
  onLoss: (loss: Loss) => void,
): Promise<FitReport> {
  const single = (request.starts ?? model.document.fit?.starts ?? 1) === 1;
  const history: number[] = [];
  let reached: number[] = [];
  let start = request.start;
  const losses: Loss[] = [];
  const report = await outlivingGpu(
    devices,
    options,
    elementsOf(model),
    (device) => {
      // What was reached before the loss stands, and its last point is where the next begins.
      history.push(...reached.slice(0, -1));
      reached = [];
      return fitModel(model, device, {
        ...request,
        start,
        onProgress(progress) {
          if (single) {
            reached.push(progress.objective);
            start = progress.parameters;
          }
          request.onProgress?.({ ...progress, iteration: history.length + progress.iteration });
        },
      });
    },
    (loss) => {
      losses.push(loss);
      onLoss(loss);
    },
  );
  const last = losses.at(-1);
  if (!last) return report;
  const times = losses.length === 1 ? 'once' : `${losses.length} times`;
  return {
    ...report,
    iterations: history.length + report.iterations,
    history: [...history, ...report.history],
    reason: `${report.reason}; the GPU was lost ${times} (${last.why}), and the fit went on ${single ? 'from its best point' : 'from all starts again'} on ${last.device.kind}`,
  };
}

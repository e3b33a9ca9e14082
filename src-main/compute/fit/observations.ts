/** What a model's objective counts: observations as they are known, without those that are missing or weigh nothing. */
import type { Model } from '../../../models/load/model.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import { isDocumentNumber, toNumber } from '../../../models/notation/numbers.ts';
import type { CensoredSide } from '../../../models/notation/plot-marks.ts';
import { limitedBy } from '../../../models/objective/limited.ts';
import { limitsOf } from '../../../models/plots/limits.ts';
import { termsOf, type Measured } from './measured.ts';

export interface Observation {
  /** Where it lies of `at`; '' where it was seen as it is. */
  readonly side: CensoredSide | '';
  readonly at: number;
  /** Of an interval, where it ends; else `at`. */
  readonly end: number;
  /** Of a count of successes, out of how many, where that is data. */
  readonly trials?: number;
}

/** `measured`: by term and port, what comes to it. */
export function observationsOf(
  model: Model,
  measured: ReadonlyMap<string, ReadonlyMap<string, Measured>>,
): Observation[] {
  return termsOf(model).flatMap(({ id, block }) => {
    const ports = measured.get(id);
    const observed = ports?.get('observed')?.values ?? new Float64Array();
    const limits = block.kind === 'likelihood' ? limitsOf(model.blocks.get(id)!) : [];
    const weights = 'weights' in block ? block.weights : undefined;
    const trials = 'trials' in block ? block.trials : undefined;
    const link = model.blocks.get(id)?.links.get('trials');
    const isCounted = trials !== undefined && !(link && outputAt(model, link).computed);
    const valueAt = (port: string, written: unknown, row: number): number => {
      if (isDocumentNumber(written)) return toNumber(written);
      const values = ports?.get(port)?.values;
      return values ? values[values.length === observed.length ? row : 0]! : NaN;
    };
    return [...observed].flatMap((y, row): Observation[] => {
      if (Number.isNaN(y) || (weights !== undefined && valueAt('weights', weights, row) === 0)) return [];
      const limitAt = (k: number): number => {
        const { side, at } = limits[k]!;
        return typeof at === 'number' ? at : valueAt(`censored.${side}`, undefined, row);
      };
      const { side, at } = limitedBy(limits, y, limitAt) ?? { side: '' as const, at: y };
      const end = side === 'interval' ? limitAt(limits.findIndex((limit) => limit.side === side)) : at;
      return [{ side, at, end, ...(isCounted && { trials: valueAt('trials', trials, row) }) }];
    });
  });
}

/** One entry for each kind of step. */
import type { KernelKind, StepOf } from '../../3-plan/plan.ts';
import { gather } from './gather.ts';
import { history } from './history.ts';
import { histogram } from './histogram.ts';
import { keyedScan } from './keyed-scan.ts';
import { map } from './map.ts';
import { matmul } from './matmul.ts';
import type { KernelFamily } from './module.ts';
import { recurrence } from './recurrence.ts';
import { reduce } from './reduce.ts';
import { scan } from './scan.ts';
import { scatter } from './scatter.ts';
import { sort } from './sort.ts';
import { sweep } from './sweep.ts';

export const families: { [K in KernelKind]: KernelFamily<StepOf<K>> } = {
  map,
  reduce,
  scan,
  sweep,
  histogram,
  'keyed-scan': keyedScan,
  recurrence,
  history,
  gather,
  scatter,
  sort,
  matmul,
};

/** How the axes of readings are divided, in the picture beside the shapes and in the model that is made. */
import { scaleOf } from '../plots/grid.ts';
import type { Noise } from './roles.ts';
import type { Readings } from './readings.ts';

/** Doses by powers of ten though some are 0, which has no place there. */
export const scaleOfX = ({ x }: Readings): 'linear' | 'log' =>
  x ? scaleOf(x.values.filter((value) => value !== 0)) : 'linear';

/** Where errors are a share of the value, so are distances on its axis. */
export const scaleOfY = (noise: Noise): 'linear' | 'log' => (noise === 'proportional' ? 'log' : 'linear');

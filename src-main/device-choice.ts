import type { DeviceKind } from '../engine/index.ts';

/** What a user may ask for. `auto`: a real GPU where the work is large enough, else the CPU. */
export const deviceChoices = ['auto', 'cpu', 'webgpu', 'reference'] as const satisfies (DeviceKind | 'auto')[];
export type DeviceChoice = (typeof deviceChoices)[number];

/** What the app computes on, where the command line's `--device` does not say: COTANGENT_DEVICE, else `auto`. */
export function deviceOfEnvironment(): DeviceChoice {
  return deviceChoices.find((choice) => choice === process.env['COTANGENT_DEVICE']) ?? 'auto';
}

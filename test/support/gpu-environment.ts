/** Runs before the tests' worker threads start: they cannot tell the graphics driver's loader where to look. */
import { prepareGpuEnvironment } from '../../engine/5-runtime/gpu/webgpu-node.ts';

export function setup(): void {
  prepareGpuEnvironment();
}

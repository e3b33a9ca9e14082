/** A GPU is used only after each kind of kernel has given what the interpreter gives. */
import { expect, test } from 'vitest';
import type { KernelKind } from '../../../../engine/3-plan/plan.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { kernelsOf } from '../../../../engine/3-plan/step-parts.ts';
import { withSweeps } from '../../../../engine/3-plan/sweeps.ts';
import type { GpuHost } from '../../../../engine/5-runtime/gpu/host.ts';
import { checkProgram, checks, distrust } from '../../../../engine/5-runtime/gpu/webgpu-check.ts';
import { gpuTest } from '../../../support/gpu.ts';

/** The host, whose compiler replaces a text in every kernel. */
function miscompiling(host: GpuHost, wanted: string, written: string): GpuHost {
  return new Proxy(host, {
    get(target, name: keyof GpuHost) {
      if (name === 'compile')
        return (texts: readonly string[]) => target.compile(texts.map((text) => text.replace(wanted, written)));
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test.each(Object.keys(checks) as KernelKind[])('the check of %s runs such a step', (kind) => {
  const { prepare, run } = withSweeps(lower(checkProgram(checks[kind])));
  expect(kernelsOf([...prepare, ...run]).map((step) => step.kind)).toContain(kind);
});

gpuTest('a GPU that computes rightly is trusted, and asked once', async (host) => {
  expect(await distrust(host)).toBeUndefined();
  expect(distrust(host)).toBe(distrust(host));
});

gpuTest('a kernel that computes wrongly is found, and named', async (host) => {
  const wrongSums = miscompiling(host, 'return lane_sums[lane];', 'return 0u;');
  expect(await distrust(wrongSums)).toBe(
    `${host.name} fails a test of its kernels for sort, so its numbers are not to be trusted`,
  );
  const refused = miscompiling(host, 'fn element(', 'fn element(nonsense');
  expect(await distrust(refused)).toMatch(/for reduce, scan, sweep, histogram, keyed-scan, so/);
});

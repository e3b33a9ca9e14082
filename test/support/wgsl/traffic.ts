/** What a program moves on the emulated GPU in one run, once what does not vary is prepared. */
import type { Program } from '../../../engine/0-ir/program.ts';
import { sizeProduct, sizeValue } from '../../../engine/0-ir/sizes.ts';
import { generate } from '../../../engine/4-backends/webgpu/generate.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { GpuPace } from '../../../engine/5-runtime/gpu/pace.ts';
import { bindWebGpu } from '../../../engine/5-runtime/gpu/webgpu-device.ts';
import { draw, uniform } from '../../../src-main/benchmark/draw.ts';
import type { Subject } from '../../../src-main/benchmark/subject.ts';
import { emulatedGpu, type Traffic } from './emulated-host.ts';

/** `program`: the subject's own, or one that was made of it; `length`: its n. */
export async function trafficOf({ ranges, fixed }: Subject, program: Program, length: number): Promise<Traffic> {
  const host = emulatedGpu(uniform(1));
  const varying = new Set(program.parameters.map(({ name }) => name).filter((name) => !fixed.has(name)));
  const instance = await bindWebGpu(host, new GpuPace(false), generate(compile(program, varying)), { n: length });
  for (const { name, value } of program.parameters) {
    const { element, shape } = value.type;
    const elements = sizeValue(sizeProduct(shape), { n: length });
    instance.write(name, draw(name, element === 'int' ? 'int' : 'real', elements, ranges.get(name) ?? [-1, 1]));
  }
  await instance.run();
  host.reset();
  await instance.run();
  return { ...host.traffic };
}

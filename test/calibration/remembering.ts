/** A device that keeps what it has compiled: of thousands of data sets of one model the programs are the same. */
import { printProgram } from '../../engine/0-ir/print.ts';
import type { Device, Executable } from '../../engine/5-runtime/device.ts';

export function remembering(device: Device): Device {
  const kept = new Map<string, Promise<Executable>>();
  return {
    kind: device.kind,
    precision: device.precision,
    name: device.name,
    async load(program, options) {
      const varying = options?.varying && [...options.varying].sort().join(' ');
      const key = `${varying}\n${printProgram(program)}`;
      const known = kept.get(key) ?? Promise.resolve(device.load(program, options));
      kept.set(key, known);
      const executable = await known;
      return { program, bind: (sizes) => executable.bind(sizes), release: () => undefined };
    },
    close: () => device.close(),
  };
}

/** A device for whoever may be stopped: what is compiled or run on it ends with `Cancelled` once word 0 of `cancel` is not 0. */
import type { Device, Instance } from './device.ts';

export function heeding(device: Device, cancel: Int32Array | undefined): Device {
  if (!cancel) return device;
  return {
    ...device,
    async load(program, options) {
      const executable = await device.load(program, { ...options, cancel });
      return {
        ...executable,
        async bind(sizes) {
          const instance = await executable.bind(sizes);
          return {
            write: (input, values) => instance.write(input, values),
            run: (): ReturnType<Instance['run']> => instance.run({ cancel }),
            read: (result) => instance.read(result),
            release: () => instance.release(),
          };
        },
      };
    },
  };
}

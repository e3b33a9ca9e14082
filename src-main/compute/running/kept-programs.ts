/** Programs that are run again and again on data of other sizes, as they are while a slider moves, compiled once. */
import { type Device, printProgram } from '../../../engine/index.ts';

type Executable = Awaited<ReturnType<Device['load']>>;

interface KeptPrograms {
  /** Its executables are held here: whoever binds them releases the instances alone. */
  readonly device: Device;
  /** Lets go of what was not asked for since the last time; no instance of it may be left. */
  settle(): void;
  release(): void;
}

type Held = Map<string, Promise<Executable>>;

export function keepingPrograms(device: Device): KeptPrograms {
  let kept: Held = new Map();
  let asked: Held = new Map();
  const letGo = (executables: Iterable<Promise<Executable>>): void => {
    // What could not be compiled has been told to whoever asked for it.
    for (const each of new Set(executables))
      void each.then((executable) => executable.release()).catch(() => undefined);
  };
  return {
    device: {
      ...{ kind: device.kind, precision: device.precision, name: device.name },
      load(program, options) {
        const key = JSON.stringify([printProgram(program), [...(options?.varying ?? [])].sort()]);
        const held = asked.get(key) ?? kept.get(key) ?? Promise.resolve(device.load(program, options));
        asked.set(key, held);
        return held;
      },
      close: () => device.close(),
    },
    settle() {
      letGo([...kept].filter(([key]) => !asked.has(key)).map(([, executable]) => executable));
      [kept, asked] = [asked, new Map()];
    },
    release() {
      letGo([...kept.values(), ...asked.values()]);
      [kept, asked] = [new Map(), new Map()];
    },
  };
}

/** What can go wrong while a program runs, told apart by class, so that every floor can throw or catch it. */

/** A kernel met something that the document must answer for: a gather's index out of range, a repeated scatter index. */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(
    message: string,
    /** The block at fault, where known. */
    readonly origin: string | undefined,
    /** The linear index of the element in its kernel's domain. */
    readonly element: number,
  ) {
    super(message);
  }
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  constructor() {
    super('cancelled');
  }
}

/** For whoever works long: throws `Cancelled` once word 0 of `cancel` is not 0. */
export function heed(cancel: Int32Array | undefined): void {
  if (cancel && Atomics.load(cancel, 0) !== 0) throw new Cancelled();
}

/** Undefined where the user stopped it: what was found before stands. */
export async function orCancelled<T>(work: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Cancelled) return undefined;
    throw error;
  }
}

export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory';
  constructor(
    readonly neededBytes: number,
    readonly availableBytes: number,
  ) {
    super(`needs ${formatBytes(neededBytes)}, and the device has ${formatBytes(availableBytes)}`);
  }
}

/** A kernel that is longer than what compiles it takes. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
  constructor(readonly bytes: number) {
    super(
      `this takes a kernel of ${formatBytes(bytes)} of code, which is more than can be compiled in one piece here: ask for fewer derivatives or states`,
    );
  }
}

/** A GPU that has gone, hangs, or was never there. Nothing that it had can be read; another device can run the program. */
export class DeviceLost extends Error {
  override readonly name = 'DeviceLost';
  constructor(
    message: string,
    /** Whether it was there, or might have been, and may be had again. */
    readonly mayReturn = false,
  ) {
    super(message);
  }
}

function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  const power = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  return `${(bytes / 1000 ** power).toPrecision(3)} ${units[power]}`;
}

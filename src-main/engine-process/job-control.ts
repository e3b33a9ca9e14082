/**
 * The words by which a thread that hears requests rules one that computes: the first stops a job, for which kernels poll
 * it; the second makes it wait between two steps.
 */
const STOP = 0;
const PAUSE = 1;

export function createControl(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8));
}

/** A job that waits is woken to stop. False where it was stopped before. */
export function stop(control: Int32Array): boolean {
  const first = Atomics.exchange(control, STOP, 1) === 0;
  resume(control);
  return first;
}

export function pause(control: Int32Array): void {
  if (Atomics.load(control, STOP) === 0) Atomics.store(control, PAUSE, 1);
}

export function resume(control: Int32Array): void {
  Atomics.store(control, PAUSE, 0);
  Atomics.notify(control, PAUSE);
}

export function isPaused(control: Int32Array): boolean {
  return Atomics.load(control, PAUSE) !== 0;
}

/** Holds this thread until the job is resumed or stopped. */
export function waitWhilePaused(control: Int32Array): void {
  Atomics.wait(control, PAUSE, 1);
}

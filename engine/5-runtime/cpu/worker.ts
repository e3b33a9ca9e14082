/**
 * What a worker thread runs. Its text is given to `new Worker`, so that it works from the sources and from any bundle:
 * the function uses nothing from outside itself, not even an import. (A bundler that keeps the names of functions would
 * bring in a helper; ours do not.)
 */
import type * as threads from 'node:worker_threads';
import type { CpuWorkerData, Job, ToCpuWorker } from './control.ts';

type Threads = Pick<typeof threads, 'receiveMessageOnPort' | 'workerData'>;

export const workerSource = (): string => `(${runWorker.toString()})(require('node:worker_threads'));`;

function runWorker({ receiveMessageOnPort, workerData }: Threads): void {
  interface Known {
    readonly functions: readonly ((from: number, to: number, own: number) => number)[];
    readonly memory: WebAssembly.Memory;
  }
  const { words, port, control, crashed, stopAt, thread, looks } = workerData as CpuWorkerData;
  const shared = new Int32Array(words);
  const mine = control.threads + 2 * thread;
  const jobs = new Map<number, Known>();
  let seen = 0;
  for (;;) {
    awaitRound();
    readPost();
    Atomics.add(shared, control.inside, 1);
    if (Atomics.load(shared, control.open) === 1) work();
    Atomics.sub(shared, control.inside, 1);
    Atomics.notify(shared, control.inside);
  }

  function awaitRound(): void {
    let look = 0;
    while (look < looks && Atomics.load(shared, control.round) === seen) look++;
    if (look === looks) {
      Atomics.add(shared, control.asleep, 1);
      Atomics.wait(shared, control.round, seen);
      Atomics.sub(shared, control.asleep, 1);
    }
    seen = Atomics.load(shared, control.round);
  }

  function readPost(): void {
    for (;;) {
      const received: { message: ToCpuWorker } | undefined = receiveMessageOnPort(port);
      if (!received) return;
      const { message } = received;
      if (message.kind === 'job') jobs.set(message.id, instantiate(message.job));
      else jobs.delete(message.id);
    }
  }

  function instantiate({ webAssembly, memory, names }: Job): Known {
    const { exports } = new WebAssembly.Instance(webAssembly, { host: { memory } });
    return { functions: names.map((name) => exports[name] as Known['functions'][number]), memory };
  }

  function work(): void {
    const known = jobs.get(shared[control.job]!);
    const run = known?.functions[shared[control.kernel]!];
    // It has come in for a phase that was opened after it looked at the post; it will look again.
    if (!known || !run) return;
    const items = shared[control.items]!;
    const chunk = shared[control.chunk]!;
    const own = shared[mine + 1]!;
    try {
      while (Atomics.load(shared, control.stop) === 0) {
        const from = Atomics.add(shared, control.next, 1) * chunk;
        if (from >= items) return;
        const status = run(from, Math.min(from + chunk, items), own);
        if (status !== 0) end(known, status);
      }
    } catch (error) {
      port.postMessage(error instanceof Error ? error.message : String(error));
      end(known, crashed);
    }
  }

  function end({ memory }: Known, status: number): void {
    shared[mine] = status;
    Atomics.store(shared, control.stop, 1);
    Atomics.store(new Int32Array(memory.buffer), stopAt / 4, 1);
  }
}

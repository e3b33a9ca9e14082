/**
 * The threads of a CPU device: workers that share the memories of its instances, and the caller, who leads them and works
 * too. They are started when there is first enough to do, and do not keep the process alive.
 */
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { Cancelled } from '../../0-ir/errors.ts';
import { status } from '../../4-backends/cpu/fault.ts';
import { STOP_AT } from '../../4-backends/cpu/parameters.ts';
import type { BoundKernel } from './binding.ts';
import { control, CRASHED, type CpuWorkerData, type Job, type ToCpuWorker } from './control.ts';
import { workerSource } from './worker.ts';

export type KernelFunction = (from: number, to: number, own: number) => number;

/** A job with its functions in the leader's thread. */
export interface TeamJob extends Job {
  readonly functions: readonly KernelFunction[];
}

interface Member {
  readonly worker: Worker;
  readonly port: MessagePort;
}

const none: readonly number[] = [];

/** Looks at a word, some fifty microseconds of them, before a thread sleeps: to wake it costs more. */
const LOOKS = 4096;
/** Milliseconds that the leader then sleeps between two looks at who is still at work. */
const PAUSE = 1;
/** No chunk takes so many milliseconds: a worker that is still at work has died. */
const LOST_AFTER = 60_000;

export class CpuTeam {
  readonly threads: number;
  private words: Int32Array<SharedArrayBuffer>;
  private members: Member[] = [];
  private readonly jobs = new Map<TeamJob, number>();
  private lastJob = 0;

  constructor(threads: number) {
    this.threads = threads;
    this.words = this.newWords();
  }

  /** Runs all items of a kernel; gives the threads in which it has faulted. Throws `Cancelled`. */
  run(
    job: TeamJob,
    { kernel, items, chunk }: BoundKernel,
    own: readonly number[],
    cancel?: Int32Array,
  ): readonly number[] {
    if (this.members.length === 0) this.start();
    const { words } = this;
    words[control.job] = this.numberOf(job);
    words[control.kernel] = kernel;
    words[control.items] = items;
    words[control.chunk] = chunk;
    own.forEach((address, thread) => {
      words[control.threads + 2 * thread] = status.done;
      words[control.threads + 2 * thread + 1] = address;
    });
    Atomics.store(words, control.next, 0);
    Atomics.store(words, control.stop, 0);
    Atomics.store(words, control.open, 1);
    this.wake();
    let failure: Error | undefined;
    try {
      this.lead(job, cancel);
    } catch (error) {
      this.stop(job);
      failure = error instanceof Error ? error : new Error(String(error));
    }
    Atomics.store(words, control.open, 0);
    this.awaitOthers(cancel);
    if (Atomics.load(words, control.stop) === 0) return none;
    Atomics.store(stopWord(job), 0, 0);
    if (failure) throw failure;
    return this.outcome(cancel);
  }

  /** Nothing of this memory stays with the workers. */
  forget(memory: WebAssembly.Memory): void {
    for (const [job, id] of this.jobs) {
      if (job.memory !== memory) continue;
      this.jobs.delete(job);
      this.post({ kind: 'forget', id });
    }
    this.wake();
  }

  /** Ends the workers; a later run starts new ones. */
  async close(): Promise<void> {
    const ended = this.members.map(({ worker }) => worker.terminate());
    this.members = [];
    this.jobs.clear();
    this.words = this.newWords();
    await Promise.all(ended);
  }

  /** Workers that have been started. */
  get running(): number {
    return this.members.length;
  }

  private newWords(): Int32Array<SharedArrayBuffer> {
    return new Int32Array(new SharedArrayBuffer(4 * (control.threads + 2 * this.threads)));
  }

  private start(): void {
    for (let thread = 1; thread < this.threads; thread++) {
      const { port1, port2 } = new MessageChannel();
      const data: CpuWorkerData = {
        words: this.words.buffer,
        port: port2,
        control,
        crashed: CRASHED,
        stopAt: STOP_AT,
        thread,
        looks: LOOKS,
      };
      const options = { eval: true, workerData: data, transferList: [port2], execArgv: [], name: 'cotangent cpu' };
      const worker = new Worker(workerSource(), options);
      worker.unref();
      this.members.push({ worker, port: port1 });
    }
  }

  /** What the workers know the job by. */
  private numberOf(job: TeamJob): number {
    let id = this.jobs.get(job);
    if (id === undefined) {
      this.jobs.set(job, (id = ++this.lastJob));
      const { webAssembly, memory, names } = job;
      this.post({ kind: 'job', id, job: { webAssembly, memory, names } });
    }
    return id;
  }

  private post(message: ToCpuWorker): void {
    for (const { port } of this.members) port.postMessage(message);
  }

  private wake(): void {
    Atomics.add(this.words, control.round, 1);
    if (Atomics.load(this.words, control.asleep) > 0) Atomics.notify(this.words, control.round);
  }

  private lead(job: TeamJob, cancel: Int32Array | undefined): void {
    const { words } = this;
    const run = job.functions[words[control.kernel]!]!;
    const items = words[control.items]!;
    const chunk = words[control.chunk]!;
    const own = words[control.threads + 1]!;
    while (Atomics.load(words, control.stop) === 0) {
      if (cancel && Atomics.load(cancel, 0) !== 0) return void Atomics.store(words, control.stop, 1);
      const from = Atomics.add(words, control.next, 1) * chunk;
      if (from >= items) return;
      const ended = run(from, Math.min(from + chunk, items), own);
      if (ended === status.done) continue;
      words[control.threads] = ended;
      this.stop(job);
    }
  }

  /** No chunk is begun any more, and no kernel waits for another. */
  private stop(job: TeamJob): void {
    Atomics.store(this.words, control.stop, 1);
    Atomics.store(stopWord(job), 0, 1);
  }

  private awaitOthers(cancel: Int32Array | undefined): void {
    const { words } = this;
    for (let look = 0; look < LOOKS; look++) if (Atomics.load(words, control.inside) === 0) return;
    const since = Date.now();
    for (;;) {
      const inside = Atomics.load(words, control.inside);
      if (inside === 0) return;
      if (cancel && Atomics.load(cancel, 0) !== 0) Atomics.store(words, control.stop, 1);
      Atomics.wait(words, control.inside, inside, PAUSE);
      if (Date.now() - since > LOST_AFTER) throw this.lost();
    }
  }

  /** Of a run that was stopped. */
  private outcome(cancel: Int32Array | undefined): readonly number[] {
    const ends = Array.from({ length: this.threads }, (_, thread) => this.words[control.threads + 2 * thread]);
    for (const { port } of this.members) {
      const failure: { message: string } | undefined = receiveMessageOnPort(port);
      if (failure) throw new Error(`a thread of the CPU device has failed: ${failure.message}`);
    }
    const faulted = ends.flatMap((end, thread) => (end === status.faulted ? [thread] : []));
    if (faulted.length > 0) return faulted;
    if (ends.includes(status.stopped)) throw this.lost();
    throw cancel ? new Cancelled() : this.lost();
  }

  private lost(): Error {
    void this.close();
    return new Error('a thread of the CPU device does not answer; the next run starts new ones');
  }
}

function stopWord({ memory }: TeamJob): Int32Array {
  return new Int32Array(memory.buffer, STOP_AT, 1);
}

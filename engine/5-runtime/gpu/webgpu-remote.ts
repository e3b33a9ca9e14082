/** The engine's half of a remote GPU: a GpuHost that asks over a port. */
import * as v from 'valibot';
import { DeviceLost } from '../../0-ir/errors.ts';
import type { GpuHost, MemoryId, PipelineId, Submission, SubmissionResult } from './host.ts';
import { fromFailure, gpuReply, gpuReplyValues, type GpuCall, type GpuPort } from './protocol.ts';

/** A window that says nothing for so long is gone: longer than the watchdog on its side. */
const silenceMilliseconds = 90_000;

/** Asks the other side for its GPU. Throws what it throws. */
export async function connectGpu(port: GpuPort): Promise<GpuHost> {
  const connection = new Connection(port);
  const about = v.parse(gpuReplyValues.open, await connection.ask({ method: 'open' }));
  return new RemoteGpuHost(connection, about);
}

class RemoteGpuHost implements GpuHost {
  readonly name: string;
  readonly software: boolean;
  readonly maxArenaBytes: number;
  private readonly connection: Connection;

  constructor(connection: Connection, about: v.InferOutput<typeof gpuReplyValues.open>) {
    this.connection = connection;
    this.name = about.name;
    this.software = about.software;
    this.maxArenaBytes = about.maxArenaBytes;
  }

  get gone(): string | undefined {
    return this.connection.gone;
  }

  async compile(texts: readonly string[]): Promise<PipelineId[]> {
    return v.parse(gpuReplyValues.compile, await this.connection.ask({ method: 'compile', texts: [...texts] }));
  }

  async allocate(bytes: number): Promise<MemoryId> {
    return v.parse(gpuReplyValues.allocate, await this.connection.ask({ method: 'allocate', bytes }));
  }

  write(memory: MemoryId, offset: number, words: Uint32Array<ArrayBuffer>): void {
    this.connection.tell({ method: 'write', memory, offset, words });
  }

  setBlocks(memory: MemoryId, blocks: Int32Array<ArrayBuffer>, blockBytes: number): void {
    this.connection.tell({ method: 'setBlocks', memory, blocks, blockBytes });
  }

  async submit({ reads, ...submission }: Submission): Promise<SubmissionResult> {
    const ranges = reads.map(({ offset, length }) => ({ offset, length }));
    return v.parse(
      gpuReplyValues.submit,
      await this.connection.ask({ method: 'submit', ...submission, reads: ranges }),
    );
  }

  free(memory: MemoryId): void {
    // What is lost is free.
    if (this.gone === undefined) this.connection.tell({ method: 'free', memory });
  }

  close(): void {
    this.connection.close(new DeviceLost(`the GPU ${this.name} is lost: it was closed`));
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

class Connection {
  private readonly port: GpuPort;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;
  /** What a call that nobody waits for has failed with, or why there is no connection any more. */
  private broken: Error | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(port: GpuPort) {
    this.port = port;
    port.onmessage = ({ data }) => this.receive(data);
    port.addEventListener?.('close', () => this.end(new DeviceLost('the window with the GPU has gone', true)));
  }

  get gone(): string | undefined {
    return this.broken?.message;
  }

  ask(call: GpuCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.broken) reject(this.broken);
      else this.waiting.set(this.send(call), { resolve, reject });
    });
  }

  /** Failures come out at the next call. */
  tell(call: GpuCall): void {
    if (this.broken) throw this.broken;
    this.waiting.set(this.send(call), { resolve: () => {}, reject: (error) => (this.broken ??= error) });
  }

  /** Lets the other side close, then goes; what is under way fails. */
  close(why: Error): void {
    if (this.broken) return;
    const id = this.send({ method: 'close' });
    this.end(why);
    const goodbye = (): void => this.port.close?.();
    this.waiting.set(id, { resolve: goodbye, reject: goodbye });
  }

  private end(why: Error): void {
    this.broken ??= why;
    clearTimeout(this.timer);
    for (const { reject } of this.waiting.values()) reject(why);
    this.waiting.clear();
  }

  private send(call: GpuCall): number {
    const id = this.next++;
    this.port.postMessage({ id, call });
    this.watch();
    return id;
  }

  private receive(data: unknown): void {
    const reply = v.parse(gpuReply, data);
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if ('error' in reply) {
      const error = fromFailure(reply.error);
      waiting?.reject(error);
      // A GPU that is lost stays so, and owes nothing any more.
      if (error instanceof DeviceLost) this.end(error);
    } else waiting?.resolve(reply.value);
    this.watch();
  }

  private watch(): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0) return;
    this.timer = setTimeout(
      () => this.end(new DeviceLost('the window with the GPU does not answer', true)),
      silenceMilliseconds,
    );
  }
}

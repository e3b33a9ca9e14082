/**
 * What the WebGPU device asks of whoever holds the GPU: in this process (host-local.ts), or a window of the same app
 * behind a port (webgpu-remote.ts). Coarse, so that a run is one message; calls take effect in the order made.
 */

/** Numbers what the host keeps. */
export type MemoryId = number;
export type PipelineId = number;

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface Submission {
  readonly memory: MemoryId;
  /** Four words a dispatch: pipeline, block in bytes, groups in x, groups in y. */
  readonly dispatches: Int32Array<ArrayBuffer>;
  /** Forget the faults and doubts of earlier submissions first. */
  readonly clearFault: boolean;
  /** Read back when the dispatches are done. */
  readonly reads: readonly ByteRange[];
}

export interface SubmissionResult {
  readonly fault: { readonly step: number; readonly element: number } | null;
  /** Whether a join has been in doubt (4-backends/webgpu/combine/joins.ts) since faults were forgotten. */
  readonly doubt: boolean;
  readonly reads: readonly ArrayBuffer[];
}

export interface GpuHost {
  /** The adapter's name, for people. */
  readonly name: string;
  /** Whether it is a CPU in disguise. */
  readonly software: boolean;
  readonly maxArenaBytes: number;
  /** Why every call fails from now on; undefined while it answers. */
  readonly gone: string | undefined;
  /** One pipeline for each text; a text is compiled once. */
  compile(texts: readonly string[]): Promise<PipelineId[]>;
  /** An arena. Throws `OutOfMemory`. */
  allocate(bytes: number): Promise<MemoryId>;
  write(memory: MemoryId, offset: number, words: Uint32Array<ArrayBuffer>): void;
  /** The words that dispatches read; each sees `blockBytes` from its block on. */
  setBlocks(memory: MemoryId, blocks: Int32Array<ArrayBuffer>, blockBytes: number): void;
  /** Comes back when the GPU has done it. Throws `DeviceLost`; a fault is a result. */
  submit(submission: Submission): Promise<SubmissionResult>;
  free(memory: MemoryId): void;
  close(): void;
}

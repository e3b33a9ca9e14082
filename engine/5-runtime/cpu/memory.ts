/**
 * WebAssembly memories for the CPU device. One that is released is kept for the next binding: a new one costs address
 * space and page faults.
 */
import { freemem } from 'node:os';
import { OutOfMemory } from '../../0-ir/errors.ts';
import { LARGEST_MEMORY } from '../../4-backends/cpu/generate.ts';
import { ADDRESSABLE, PAGE } from './binding.ts';

/** Free memories that are kept, and their bytes together. */
const KEPT = 4;
const KEPT_BYTES = 2 ** 30;

export class MemoryPool {
  private free: WebAssembly.Memory[] = [];
  private readonly machineBytes: () => number;
  private readonly dropped: (memory: WebAssembly.Memory) => void;

  /** `machineBytes`: what the machine could still give; `dropped` is told of memories that are not kept. */
  constructor(machineBytes: () => number = freemem, dropped: (memory: WebAssembly.Memory) => void = () => {}) {
    this.machineBytes = machineBytes;
    this.dropped = dropped;
  }

  /** A memory of at least so many bytes, with anything in it. Throws `OutOfMemory`. */
  take(bytes: number): WebAssembly.Memory {
    const best = this.best(bytes);
    const present = best?.buffer.byteLength ?? 0;
    if (best && present >= bytes) return this.remove(best);
    const available = Math.min(ADDRESSABLE, this.machineBytes() + present);
    if (bytes > available) throw new OutOfMemory(bytes, available);
    const pages = Math.ceil(bytes / PAGE);
    try {
      if (!best) return newMemory(pages);
      best.grow(pages - present / PAGE);
      return this.remove(best);
    } catch (error) {
      if (error instanceof RangeError) throw new OutOfMemory(bytes, available);
      throw error;
    }
  }

  give(memory: WebAssembly.Memory): void {
    this.free.push(memory);
    const bytes = () => this.free.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    while (this.free.length > KEPT || bytes() > KEPT_BYTES) this.dropped(this.free.shift()!);
  }

  clear(): void {
    this.free = [];
  }

  /** The smallest that is large enough, else the largest. */
  private best(bytes: number): WebAssembly.Memory | undefined {
    const sorted = [...this.free].sort((a, b) => a.buffer.byteLength - b.buffer.byteLength);
    return sorted.find(({ buffer }) => buffer.byteLength >= bytes) ?? sorted.at(-1);
  }

  private remove(memory: WebAssembly.Memory): WebAssembly.Memory {
    this.free = this.free.filter((other) => other !== memory);
    return memory;
  }
}

/** Shared among threads. Only what is touched takes room in the machine. */
export function newMemory(pages: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: pages, maximum: LARGEST_MEMORY, shared: true });
}

/**
 * A GPU in plain TypeScript, for tests: kernels run as their WGSL says, workgroups and lanes in an order drawn by chance,
 * and everything is watched. A word that one invocation writes and another touches in the same dispatch, or between the
 * same two barriers, is a race and an error, and so is a place outside an array or a barrier that not all lanes reach. What
 * the arena's traffic is, in words and in the sectors that GPUs fetch, is counted.
 */
import type {
  GpuHost,
  MemoryId,
  PipelineId,
  Submission,
  SubmissionResult,
} from '../../../engine/5-runtime/gpu/host.ts';
import { arenaSpace, faultSpace, type CompiledKernel, type Machine } from './machine.ts';
import { compileKernel } from './to-javascript.ts';

/** Words of the arena that a kernel, or a plan, has moved; one that neighbouring lanes load together is one. */
export interface Traffic {
  dispatches: number;
  barriers: number;
  loads: number;
  stores: number;
  atomics: number;
  /** Sectors of 32 bytes asked for, where neighbouring lanes ask together; a cache may hold some of them. */
  sectors: number;
}

export interface EmulatedGpu extends GpuHost {
  readonly traffic: Traffic;
  reset(): void;
}

const sectorWords = 8;
/** Lanes that ask for memory together. */
const together = 32;
const garbage = 0xd7d7d7d7;

interface Memory {
  readonly arena: Uint32Array<ArrayBuffer>;
  readonly fault: Uint32Array<ArrayBuffer>;
  blocks: Int32Array;
  blockWords: number;
}

/** `random`: numbers in [0, 1), which order what has no order. */
export function emulatedGpu(random: () => number): EmulatedGpu {
  const kernels: CompiledKernel[] = [];
  const pipelines = new Map<string, PipelineId>();
  const memories = new Map<MemoryId, Memory>();
  const traffic: Traffic = { dispatches: 0, barriers: 0, loads: 0, stores: 0, atomics: 0, sectors: 0 };
  const memoryOf = (id: MemoryId): Memory => {
    const memory = memories.get(id);
    if (!memory) throw new Error(`no memory ${id}`);
    return memory;
  };
  return {
    name: 'an emulated GPU',
    software: false,
    maxArenaBytes: 2 ** 28,
    gone: undefined,
    traffic,
    reset: () => Object.assign(traffic, { dispatches: 0, barriers: 0, loads: 0, stores: 0, atomics: 0, sectors: 0 }),
    compile: (texts) =>
      Promise.resolve(
        texts.map((text) => {
          const known = pipelines.get(text) ?? kernels.push(compileKernel(text)) - 1;
          pipelines.set(text, known);
          return known;
        }),
      ),
    allocate(bytes) {
      const id = memories.size + 1;
      const arena = new Uint32Array(Math.ceil(bytes / 4)).fill(garbage);
      memories.set(id, { arena, fault: new Uint32Array(3), blocks: new Int32Array(0), blockWords: 0 });
      return Promise.resolve(id);
    },
    write: (id, offset, words) => memoryOf(id).arena.set(words, offset / 4),
    setBlocks(id, blocks, blockBytes) {
      Object.assign(memoryOf(id), { blocks: blocks.slice(), blockWords: blockBytes / 4 });
    },
    submit({ memory: id, dispatches, clearFault, reads }: Submission): Promise<SubmissionResult> {
      const memory = memoryOf(id);
      if (clearFault) memory.fault.fill(0);
      for (let at = 0; at < dispatches.length; at += 4) {
        const [pipeline = 0, block = 0, x = 1, y = 1] = dispatches.subarray(at, at + 4);
        const words = memory.blocks.subarray(block / 4, block / 4 + memory.blockWords);
        run(kernels[pipeline]!, memory, words, x, y, random, traffic);
      }
      const [step = 0, inverted = 0, doubt = 0] = memory.fault;
      return Promise.resolve({
        fault: step === 0 ? null : { step: step - 1, element: ~inverted >>> 0 },
        doubt: doubt !== 0,
        reads: reads.map(({ offset, length }) => memory.arena.buffer.slice(offset, offset + length)),
      });
    },
    free: () => undefined,
    close: () => undefined,
  };
}

function run(
  kernel: CompiledKernel,
  memory: Memory,
  block: Int32Array,
  width: number,
  height: number,
  random: () => number,
  traffic: Traffic,
): void {
  traffic.dispatches++;
  const { lanes } = kernel;
  const watch = new Watch(kernel, memory, block, traffic);
  const groups = { x: width, y: height, z: 1 };
  for (const number of shuffled(width * height, random)) {
    const shared = kernel.shared.map(({ length, zero }) => Array.from({ length }, zero));
    watch.enter(number, shared);
    const group = { x: number % width, y: Math.floor(number / width), z: 0 };
    const waiting = new Map<number, Generator<number, void>>();
    for (const lane of shuffled(lanes, random)) {
      watch.lane = lane;
      const invocation = kernel.invocation(watch, shared, group, groups, lane);
      if (invocation) waiting.set(lane, invocation);
    }
    while (waiting.size > 0) {
      const reached = new Set<number>();
      const order = shuffled(lanes, random).filter((lane) => waiting.has(lane));
      for (const lane of order) {
        watch.lane = lane;
        const { done, value } = waiting.get(lane)!.next();
        if (done) waiting.delete(lane);
        else reached.add(value);
      }
      if (reached.size > 1 || (waiting.size > 0 && waiting.size < order.length))
        throw new Error('lanes of a workgroup wait at different barriers');
      if (waiting.size > 0) traffic.barriers++;
      watch.barrier();
    }
    watch.leave();
  }
}

/** Who has touched what since when. */
class Watch implements Machine {
  lane = 0;
  private epoch = 0;
  private group = 0;
  private shared: readonly unknown[][] = [];
  /** Invocation that wrote, and that read, a word of the arena in this dispatch; counted from 1. */
  private readonly writers: Int32Array;
  private readonly readers: Int32Array;
  /** Of workgroup memory: lane and epoch of the last write and read. */
  private lastWrite: { lane: number; epoch: number; atomic: boolean }[][] = [];
  private lastRead: { lane: number; epoch: number }[][] = [];
  private turns = new Map<number, number>();
  /** Of each request of neighbouring lanes. */
  private asked = new Map<string, { words: Set<number>; sectors: Set<number> }>();
  readonly block: Int32Array;
  private readonly kernel: CompiledKernel;
  private readonly memory: Memory;
  private readonly traffic: Traffic;

  constructor(kernel: CompiledKernel, memory: Memory, block: Int32Array, traffic: Traffic) {
    this.kernel = kernel;
    this.memory = memory;
    this.block = block;
    this.traffic = traffic;
    this.writers = new Int32Array(memory.arena.length);
    this.readers = new Int32Array(memory.arena.length);
  }

  enter(group: number, shared: readonly unknown[][]): void {
    this.group = group;
    this.shared = shared;
    this.epoch++;
    this.lastWrite = shared.map(() => []);
    this.lastRead = shared.map(() => []);
    this.turns = new Map();
    this.asked = new Map();
  }

  barrier(): void {
    this.epoch++;
  }

  leave(): void {
    for (const { sectors } of this.asked.values()) this.traffic.sectors += sectors.size;
  }

  private get invocation(): number {
    return this.group * this.kernel.lanes + this.lane + 1;
  }

  /** Whether no neighbour asks for the word in the same request. */
  private ask(at: number, site: number): boolean {
    if (at < 0 || at >= this.memory.arena.length) throw new RangeError(`word ${at} is outside the arena`);
    const own = site * this.kernel.lanes + this.lane;
    const turn = this.turns.get(own) ?? 0;
    this.turns.set(own, turn + 1);
    const key = `${site},${turn},${Math.floor(this.lane / together)}`;
    const asked = this.asked.get(key) ?? { words: new Set(), sectors: new Set() };
    this.asked.set(key, asked);
    const isFirst = !asked.words.has(at);
    asked.words.add(at);
    asked.sectors.add(Math.floor(at / sectorWords));
    return isFirst;
  }

  load(at: number, site: number): number {
    if (this.ask(at, site)) this.traffic.loads++;
    const writer = this.writers[at] ?? 0;
    if (writer !== 0 && writer !== this.invocation) throw new Error(`a race: word ${at} is read beside its writing`);
    this.readers[at] = (this.readers[at] ?? 0) === 0 || this.readers[at] === this.invocation ? this.invocation : -1;
    return this.memory.arena[at] ?? 0;
  }

  store(at: number, value: number, site: number): void {
    this.ask(at, site);
    this.traffic.stores++;
    const [writer = 0, reader = 0] = [this.writers[at], this.readers[at]];
    // The same word from many, where none reads it, is no question of order.
    if (writer !== 0 && writer !== this.invocation && this.memory.arena[at] !== value >>> 0)
      throw new Error(`a race: word ${at} is written twice`);
    if (reader !== 0 && reader !== this.invocation) throw new Error(`a race: word ${at} is written beside its reading`);
    this.writers[at] = this.invocation;
    this.memory.arena[at] = value;
  }

  atomic(operation: string, space: number, at: number, value: number, site: number): number {
    if (space === faultSpace) return combine(this.memory.fault, at, operation, value);
    if (space === arenaSpace) {
      this.ask(at, site);
      if (operation === 'Load') this.traffic.loads++;
      else if (operation === 'Store') this.traffic.stores++;
      else this.traffic.atomics++;
      return combine(this.memory.arena, at, operation, value);
    }
    this.writes(space, at, true);
    return combine(this.shared[space] as number[], at, operation, value);
  }

  exchange(at: number, expected: number, value: number): { old_value: number; exchanged: boolean } {
    const old = this.memory.fault[at] ?? 0;
    if (old === expected) this.memory.fault[at] = value;
    return { old_value: old, exchanged: old === expected };
  }

  reads(variable: number, at: number): number {
    this.inside(variable, at);
    const write = this.lastWrite[variable]?.[at];
    if (write?.epoch === this.epoch && write.lane !== this.lane) this.race(variable, at);
    const reads = this.lastRead[variable] as { lane: number; epoch: number }[];
    const before = reads[at];
    reads[at] = { lane: before?.epoch === this.epoch && before.lane !== this.lane ? -1 : this.lane, epoch: this.epoch };
    return at;
  }

  writes(variable: number, at: number, atomic = false): number {
    this.inside(variable, at);
    const write = this.lastWrite[variable]?.[at];
    const read = this.lastRead[variable]?.[at];
    if (write?.epoch === this.epoch && write.lane !== this.lane && !(atomic && write.atomic)) this.race(variable, at);
    if (read?.epoch === this.epoch && read.lane !== this.lane) this.race(variable, at);
    const writes = this.lastWrite[variable] as { lane: number; epoch: number; atomic: boolean }[];
    writes[at] = { lane: this.lane, epoch: this.epoch, atomic };
    return at;
  }

  private inside(variable: number, at: number): void {
    const { length = 0, name } = this.kernel.shared[variable] ?? {};
    if (at < 0 || at >= length) throw new RangeError(`${name}[${at}] is outside its ${length}`);
  }

  private race(variable: number, at: number): never {
    throw new Error(`a race: ${this.kernel.shared[variable]?.name}[${at}] between two barriers`);
  }
}

function combine(words: Uint32Array | number[], at: number, operation: string, value: number): number {
  const old = words[at] ?? 0;
  const made: Record<string, () => number> = {
    Load: () => old,
    Store: () => value,
    Add: () => (old + value) >>> 0,
    Min: () => Math.min(old, value),
    Max: () => Math.max(old, value),
    Or: () => (old | value) >>> 0,
  };
  const make = made[operation];
  if (!make) throw new Error(`atomic${operation} is not known here`);
  words[at] = make();
  return old;
}

function shuffled(length: number, random: () => number): number[] {
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

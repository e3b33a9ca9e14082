/**
 * Many parameter sets, one model: the program mapped over a leading axis of members (vmap) and run in chunks, so that
 * memory is bounded whatever the number of members, on any device.
 *
 *     const ensemble = await createEnsemble(device, { program, parameters, data, sizes });
 *     const { values } = await ensemble.evaluate(points);     // members × width, row by row
 *     values.get('loss');                                      // members × elements of the result
 *
 * Any program will do: values, `withGradient`, `withJacobian`. A member in which a kernel meets a fault (an index out of
 * range) has NaN in every result and is listed; the others are not touched by it.
 */
import { Cancelled, Fault, orCancelled, OutOfMemory } from '../../0-ir/errors.ts';
import type { Program } from '../../0-ir/program.ts';
import { sizeProduct, sizeValue, type SizeBinding } from '../../0-ir/sizes.ts';
import { vmap } from '../../2-ad/vmap.ts';
import type { Device, Instance } from '../../5-runtime/device.ts';
import type { FitParameter } from '../problem.ts';

export interface EnsembleModel {
  readonly program: Program;
  /** All parameters of the model that the program reads; a fixed one is the same for every member. */
  readonly parameters: readonly Pick<FitParameter, 'name' | 'initial' | 'fixed'>[];
  /** All inputs of the program but the parameters. */
  readonly data: ReadonlyMap<string, ArrayLike<number>>;
  readonly sizes: SizeBinding;
}

export interface EnsembleOptions {
  /** Bytes that a chunk may take, as an upper estimate. */
  readonly chunkBytes?: number;
  readonly mostMembers?: number;
  /** Polled while the program is compiled: an ensemble that was stopped then has no values, and says so when it is asked. */
  readonly cancel?: Int32Array | undefined;
}

export interface EnsembleFault {
  readonly member: number;
  readonly message: string;
}

export interface EnsembleValues {
  /** Of each result of the program, member by member. */
  readonly values: ReadonlyMap<string, Float64Array>;
  readonly faults: readonly EnsembleFault[];
}

export interface Ensemble {
  /** How many numbers a point has: the elements of the parameters that are not fixed, in their order. */
  readonly width: number;
  /** How many members run at once. */
  readonly chunk: number;
  /** `points`: members × width. Throws `Cancelled` once word 0 of `cancel` is not 0. */
  evaluate(points: Float64Array, cancel?: Int32Array): Promise<EnsembleValues>;
  release(): void;
}

export async function createEnsemble(
  device: Device,
  model: EnsembleModel,
  { chunkBytes = 2 ** 27, mostMembers = 2 ** 13, cancel }: EnsembleOptions = {},
): Promise<Ensemble> {
  const free = model.parameters.filter(({ fixed }) => !fixed);
  const width = free.reduce((total, { initial }) => total + initial.length, 0);
  const names = free.map(({ name }) => name);
  let symbol = 'members';
  while (Object.hasOwn(model.sizes, symbol)) symbol += '_';
  const program = vmap(model.program, symbol, names);
  const executable = await orCancelled(() => device.load(program, { varying: new Set(names), cancel }));
  const bytes = bytesPerMember(program, { ...model.sizes, [symbol]: 1 });
  let chunk = Math.max(1, Math.min(mostMembers, Math.floor(chunkBytes / bytes)));
  /** By the number of members; powers of two but for a whole chunk. */
  const instances = new Map<number, Instance>();

  async function instanceFor(members: number): Promise<readonly [Instance, size: number]> {
    const size = Math.min(chunk, 2 ** Math.ceil(Math.log2(members)));
    const known = instances.get(size);
    if (known) return [known, size];
    if (!executable) throw new Cancelled();
    const instance = await executable.bind({ ...model.sizes, [symbol]: size });
    for (const [name, values] of model.data) instance.write(name, values);
    for (const { name, initial, fixed } of model.parameters) if (fixed) instance.write(name, initial);
    instances.set(size, instance);
    return [instance, size];
  }

  /** Members from..to of the points, written to `into`; a fault is narrowed down to its members by halving. */
  async function run(points: Float64Array, from: number, to: number, job: Job): Promise<void> {
    const [instance, size] = await instanceFor(to - from);
    let offset = 0;
    for (const { name, initial } of free) {
      instance.write(name, columns(points, width, offset, initial.length, from, to, size));
      offset += initial.length;
    }
    try {
      await instance.run(job.cancel ? { cancel: job.cancel } : {});
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (to - from === 1) {
        job.faults.push({ member: from, message: error.message });
        for (const [name, each] of elements) valuesOf(job, name, each).fill(NaN, from * each, to * each);
        return;
      }
      const middle = (from + to) >> 1;
      await run(points, from, middle, job);
      await run(points, middle, to, job);
      return;
    }
    for (const [name, each] of elements) {
      const pending = instance.read(name);
      const found = pending instanceof Promise ? await pending : pending;
      const own = found.length === (to - from) * each ? found : found.subarray(0, (to - from) * each);
      if (to - from === job.members && own instanceof Float64Array) job.values.set(name, own);
      else valuesOf(job, name, each).set(own, from * each);
    }
  }

  const elements = new Map(
    program.results.map(({ name, value }) => [
      name,
      sizeValue(sizeProduct(value.type.shape), { ...model.sizes, [symbol]: 1 }),
    ]),
  );

  return {
    width,
    get chunk() {
      return chunk;
    },
    async evaluate(points, cancel) {
      const members = width === 0 ? 1 : points.length / width;
      const job: Job = { members, values: new Map(), faults: [], cancel };
      for (let from = 0; from < members;) {
        const to = Math.min(members, from + chunk);
        try {
          await run(points, from, to, job);
        } catch (error) {
          // The estimate was too low, or others have taken the memory: smaller pieces, down to one member.
          if (!(error instanceof OutOfMemory) || chunk === 1) throw error;
          chunk = Math.ceil(chunk / 2);
          continue;
        }
        from = to;
      }
      for (const [name, each] of elements) valuesOf(job, name, each);
      return job;
    },
    release() {
      for (const instance of instances.values()) instance.release();
      instances.clear();
      executable?.release();
    },
  };
}

interface Job {
  readonly members: number;
  /** What has been read so far; a result that one run gives for all members is taken as it is. */
  readonly values: Map<string, Float64Array>;
  readonly faults: EnsembleFault[];
  readonly cancel: Int32Array | undefined;
}

function valuesOf({ members, values }: Job, name: string, each: number): Float64Array {
  const known = values.get(name);
  if (known) return known;
  const made = new Float64Array(members * each);
  values.set(name, made);
  return made;
}

/** Elements offset..offset+count of the members from..to, and of member `from` again up to `size` members. */
function columns(
  points: Float64Array,
  width: number,
  offset: number,
  count: number,
  from: number,
  to: number,
  size: number,
): Float64Array {
  const written = new Float64Array(size * count);
  for (let m = 0; m < size; m++) {
    const at = (from + m < to ? from + m : from) * width + offset;
    for (let i = 0; i < count; i++) written[m * count + i] = points[at + i]!;
  }
  return written;
}

/** What one member takes if nothing is fused. */
function bytesPerMember(program: Program, sizes: SizeBinding): number {
  let total = 8;
  for (const { results } of program.statements)
    for (const { type } of results) total += 8 * sizeValue(sizeProduct(type.shape), sizes);
  return total;
}

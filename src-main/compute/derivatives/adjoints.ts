/**
 * The adjoint view: of every wire that the objective depends on, the objective's derivative by what flows through it.
 *
 * One reverse sweep gives them all. A value that several blocks take has a wire to each, and each its own derivative: the
 * part of the trunk's that comes back through that branch.
 */
import {
  adjointName,
  cotangentName,
  type Device,
  type HostArray,
  profiles,
  type Value,
  vjp,
} from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel, wireName, type LowerRequest } from '../../../models/lower/lower.ts';
import { Refused } from '../../refused.ts';
import { withRoom } from './checkpoints.ts';
import { realOutput } from '../running/derived.ts';
import { writeParameters, type ParameterValues } from '../running/run.ts';
import { asRefused } from '../running/refusals.ts';
import { startInstance } from '../running/run.ts';

export interface WireAdjoint {
  /** The block that takes the value, and its port. */
  readonly block: string;
  readonly port: string;
  readonly shape: readonly number[];
  /** max |x̄| and √Σ x̄² over what is finite. */
  readonly largest: number;
  readonly norm: number;
  /** Σ |x·x̄| over what is finite: times p, at most what moving every element by the share p moves the objective by. */
  readonly effect: number;
  /** How many elements are NaN, and where the first stands in row-major order. */
  readonly missing: number;
  readonly firstMissing: number | undefined;
  /** Evenly spaced elements, at most `mostSamples` of them, in row-major order. */
  readonly sample: readonly number[];
}

export interface Adjoints {
  readonly value: number;
  readonly wires: readonly WireAdjoint[];
}

const mostSamples = 400;

/** The sweep of one subject, ready to run at one point of the parameters after another. */
export interface Sweep {
  /** Throws `Refused` where the run meets a fault. */
  at(parameters: ParameterValues): Promise<Adjoints>;
  release(): void;
}

/** Of the objective, or of the real scalar output `of`. Throws `Refused`. */
export async function createSweep(model: Model, device: Device, of?: string): Promise<Sweep> {
  try {
    const [name, request] = subject(model, of);
    const lowered = lowerModel(model, { ...request, wires: true });
    const wires = [...lowered.wires].flatMap(([block, ports]) =>
      [...ports].flatMap(([port, value]) => (value.type.element === 'real' ? [{ block, port, value }] : [])),
    );
    const by = wires.map(({ value }) => value);
    const instance = await withRoom(new Map(), (force, onChoice) => {
      const options = { of: [name], by, profile: profiles[device.kind], force, onChoice };
      return startInstance(device, lowered, vjp(lowered.program, options));
    });
    return {
      async at(parameters) {
        try {
          writeParameters(instance, lowered, parameters);
          instance.write(cotangentName(name), [1]);
          await instance.run();
          const found: WireAdjoint[] = [];
          for (const { block, port, value } of wires) {
            const carried = await instance.read(wireName(block, port));
            const adjoint = await instance.read(nameOf(value));
            found.push({ block, port, ...summary(carried, adjoint, shapeOf(value, lowered.sizes)) });
          }
          return { value: (await instance.read(name))[0] ?? NaN, wires: found };
        } catch (error) {
          throw asRefused(error);
        }
      },
      release: () => instance.release(),
    };
  } catch (error) {
    throw asRefused(error);
  }
}

function subject(model: Model, of: string | undefined): [name: string, request: LowerRequest] {
  if (of === undefined && model.objective.length === 0)
    throw new Refused('the model has no objective: choose a number to be differentiated');
  if (of === undefined) return ['objective', { objective: 'value' }];
  if (realOutput(model, of).length > 0) throw new Refused(`"${of}" is no scalar: choose a number to be differentiated`);
  return [of, { outputs: [of] }];
}

function nameOf(value: Value): string {
  return adjointName(`%${value.id}`);
}

function shapeOf({ type }: Value, sizes: Readonly<Record<string, number>>): number[] {
  return type.shape.map((size) => (typeof size === 'number' ? size : (sizes[size] ?? NaN)));
}

function summary(carried: HostArray, values: HostArray, shape: readonly number[]): Omit<WireAdjoint, 'block' | 'port'> {
  let [largest, squares, effect, missing] = [0, 0, 0, 0];
  let firstMissing: number | undefined;
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (Number.isNaN(x)) {
      firstMissing ??= i;
      missing++;
    } else {
      largest = Math.max(largest, Math.abs(x));
      if (Number.isFinite(x)) squares += x * x;
      const moved = Math.abs(x * carried[i]!);
      if (Number.isFinite(moved)) effect += moved;
    }
  }
  const count = Math.min(values.length, mostSamples);
  const sample = Array.from({ length: count }, (_, i) => values[Math.floor((i * values.length) / count)]!);
  return { shape, largest, norm: Math.sqrt(squares), effect, missing, firstMissing, sample };
}

/**
 * Runs plans in plain TypeScript, obviously and slowly: the oracle of the backends and the twin of the lowering.
 *
 *     runPlan(lower(program), { x: [1, 2, 3] }, { n: 3 }).y
 *
 * With `arena` all buffers stand at their real offsets in one memory that begins as garbage, so a wrong lifetime shows.
 * With `backward` items run from the last to the first, so a dependence between items shows.
 */
import type { SizeBinding } from '../../engine/0-ir/sizes.ts';
import { sizeProduct, sizeValue } from '../../engine/0-ir/sizes.ts';
import { layout } from '../../engine/3-plan/arena.ts';
import type { Plan, Step } from '../../engine/3-plan/plan.ts';
import { runKernel, type Machine, type Memory } from './run-step.ts';

export interface PlanRunOptions {
  readonly arena?: boolean;
  readonly backward?: boolean;
}

export interface PlanRun {
  write(input: string, values: ArrayLike<number>): void;
  prepare(): void;
  run(): void;
  read(result: string): number[];
}

const bytesPerElement = { real: 8, int: 4, bool: 1 } as const;
const arrays = { real: Float64Array, int: Int32Array, bool: Uint8Array } as const;
/** Bytes that make no small number in any type: what memory holds before it is written. */
const garbage = 0xd7;

export function openPlan(plan: Plan, sizes: SizeBinding, options: PlanRunOptions = {}): PlanRun {
  const memory = options.arena ? arenaMemory(plan, sizes) : separateMemory(plan, sizes);
  const machine: Machine = {
    memory,
    size: (size) => sizeValue(size, sizes),
    backward: options.backward ?? false,
  };
  const runSteps = (steps: readonly Step[]): void => {
    for (const step of steps) {
      if (step.kind !== 'loop') runKernel(step, machine);
      else for (let i = 0; i < machine.size(step.count); i++) runSteps(step.steps);
    }
  };
  const find = <P extends { name: string }>(ports: readonly P[], name: string): P => {
    const port = ports.find((candidate) => candidate.name === name);
    if (!port) throw new Error(`the plan has no ${name}`);
    return port;
  };
  return {
    write(input, values) {
      const { buffer, type } = find(plan.inputs, input);
      const length = machine.size(sizeProduct(type.shape));
      if (values.length !== length) throw new Error(`${input} takes ${length} values, got ${values.length}`);
      memory[buffer]?.set(values);
    },
    prepare: () => runSteps(plan.prepare),
    run: () => runSteps(plan.run),
    read(result) {
      const { buffer, type } = find(plan.results, result);
      return [...memory[buffer]!.slice(0, machine.size(sizeProduct(type.shape)))];
    },
  };
}

/** One prepare, one run, all results. */
export function runPlan(
  plan: Plan,
  inputs: Readonly<Record<string, ArrayLike<number>>>,
  sizes: SizeBinding,
  options: PlanRunOptions = {},
): Record<string, number[]> {
  const run = openPlan(plan, sizes, options);
  for (const { name } of plan.inputs) run.write(name, inputs[name] ?? []);
  run.prepare();
  run.run();
  return Object.fromEntries(plan.results.map(({ name }) => [name, run.read(name)]));
}

function separateMemory(plan: Plan, sizes: SizeBinding): Memory {
  return plan.buffers.map(({ element, length }) => {
    const count = sizeValue(length, sizes);
    const bytes = new Uint8Array(count * bytesPerElement[element]).fill(garbage);
    return new arrays[element](bytes.buffer);
  });
}

function arenaMemory(plan: Plan, sizes: SizeBinding): Memory {
  const { offsets, total } = layout(plan, sizes, bytesPerElement);
  const arena = new Uint8Array(total).fill(garbage).buffer;
  return plan.buffers.map(
    ({ element, length }, id) => new arrays[element](arena, offsets[id], sizeValue(length, sizes)),
  );
}

/**
 * Holds a program's derivatives against each other and against central differences:
 *
 *     forward = reverse:   ⟨ȳ, ẏ⟩ = ⟨x̄, ẋ⟩
 *     central differences: ⟨ȳ, (P(x + hẋ) - P(x - hẋ)) / 2h⟩ = ⟨x̄, ẋ⟩
 *     nested once:         the same for the reverse-mode program itself (jvp of vjp)
 */
import { expect } from 'vitest';
import type { Program } from '../../engine/0-ir/program.ts';
import { sizeValue, type SizeBinding } from '../../engine/0-ir/sizes.ts';
import { vjp, type VjpOptions } from '../../engine/2-ad/vjp.ts';
import { jvp } from '../../engine/2-ad/jvp.ts';
import { interpret } from '../../engine/4-backends/reference/interpret.ts';

export type Inputs = ReadonlyMap<string, readonly number[]>;

/** A small generator with a seed (mulberry32), for directions; fast-check makes everything that matters. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, v, i) => sum + v * y[i]!, 0);

interface Real {
  readonly name: string;
  readonly length: number;
}

function reals(list: Program['parameters'], sizes: SizeBinding): Real[] {
  return list
    .filter(({ value }) => value.type.element === 'real')
    .map(({ name, value }) => ({
      name,
      length: value.type.shape.reduce<number>((n, s) => n * sizeValue(s, sizes), 1),
    }));
}

const values = (program: Program, inputs: Inputs, sizes: SizeBinding): Map<string, number[]> =>
  new Map([...interpret(program, inputs, sizes)].map(([name, value]) => [name, Array.from(value.values)]));

export interface CheckOptions extends VjpOptions {
  readonly seed?: number;
  readonly nested?: boolean;
  /** Central differences too; off where the point may sit at a kink. */
  readonly differences?: boolean;
  readonly step?: number;
  readonly tolerance?: number;
  /**
   * Whether some value on the way is infinite. Then forward mode may meet 0·∞, where in reverse mode nothing flows, and
   * infinite derivatives pair to ∞ in one order and to ∞ - ∞ in another: only where forward mode is finite are they held,
   * and second derivatives where both are.
   */
  readonly infinite?: boolean;
}

export function checkDerivatives(
  program: Program,
  inputs: Inputs,
  sizes: SizeBinding,
  options: CheckOptions = {},
): void {
  const {
    seed = 1,
    nested = true,
    differences = true,
    step = 1e-6,
    tolerance = 1e-9,
    infinite = false,
    ...vjpOptions
  } = options;
  const random = randomNumbers(seed);
  const draw = (length: number): number[] => Array.from({ length }, () => random() * 2 - 1);
  const outputs = reals(program.results, sizes);
  const by = reals(program.parameters, sizes);
  const cotangents = new Map(outputs.map(({ name, length }) => [name, draw(length)]));
  const tangents = new Map(by.map(({ name, length }) => [name, draw(length)]));

  const primal = values(program, inputs, sizes);
  const reverse = vjp(program, vjpOptions);
  // What differentiation adds to parameters and results comes last, in order.
  const addedTo = (derived: Program, list: readonly Real[], lists: Inputs): Inputs =>
    new Map([
      ...inputs,
      ...list.map(({ name }, i) => {
        const parameter = derived.parameters[program.parameters.length + i]!;
        return [parameter.name, lists.get(name)!] as const;
      }),
    ]);
  const forwardProgram = jvp(program);
  const reverseInputs = addedTo(reverse, outputs, cotangents);
  const pulled = values(reverse, reverseInputs, sizes);
  const pushed = values(forwardProgram, addedTo(forwardProgram, by, tangents), sizes);
  const addedResult = (derived: Program, found: Map<string, number[]>, i: number): number[] =>
    found.get(derived.results[program.results.length + i]!.name)!;
  // Equal but for the order of rounding: decoupled initial contents combine in another one.
  for (const [name, expected] of primal)
    for (const [mode, found] of [
      ['reverse', pulled],
      ['forward', pushed],
    ] as const)
      expected.forEach((value, i) =>
        near(found.get(name)![i]!, value, 1e-12 * magnitude([value]), `${mode} mode's primal ${name}`),
      );

  const backward = by.map(({ name }, i) => dot(addedResult(reverse, pulled, i), tangents.get(name)!));
  const forward = outputs.map(({ name }, i) => dot(cotangents.get(name)!, addedResult(forwardProgram, pushed, i)));
  const scale = magnitude([...backward, ...forward]);
  const held = nested ? forward : [...forward, ...backward];
  if (infinite && !held.every(Number.isFinite)) return;
  near(sum(forward), sum(backward), tolerance * scale, 'forward and reverse mode');

  if (differences) {
    const moved = (sign: number): Map<string, number[]> =>
      new Map(
        [...inputs].map(([name, x]) => {
          const direction = tangents.get(name);
          return [name, direction ? x.map((v, i) => v + sign * step * direction[i]!) : [...x]];
        }),
      );
    const above = values(program, moved(1), sizes);
    const below = values(program, moved(-1), sizes);
    const slopes = outputs.map(({ name }) => {
      const difference = above.get(name)!.map((v, i) => {
        const w = below.get(name)![i]!;
        return v === w ? 0 : (v - w) / (2 * step); // an infinity that stays has no slope
      });
      return dot(cotangents.get(name)!, difference);
    });
    const size = Math.max(scale, ...[...primal.values()].flat().map(Math.abs).filter(Number.isFinite));
    near(sum(backward), sum(slopes), 2e-6 * Math.max(1, size), 'reverse mode and central differences');
  }

  if (nested)
    checkDerivatives(reverse, reverseInputs, sizes, { ...options, force: new Map(), nested: false, seed: seed + 1 });
}

const sum = (terms: readonly number[]): number => terms.reduce((total, term) => total + term, 0);
const magnitude = (terms: readonly number[]): number => Math.max(1, ...terms.map(Math.abs));

function near(actual: number, expected: number, tolerance: number, what: string): void {
  const close = Object.is(actual, expected) || Math.abs(actual - expected) <= tolerance;
  expect(close, `${what} disagree: ${actual} and ${expected}, allowed ${tolerance}`).toBe(true);
}

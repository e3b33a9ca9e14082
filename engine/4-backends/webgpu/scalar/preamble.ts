/**
 * The f32 functions that kernels call, in WGSL: WGSL's own are too coarse (sin to 2⁻¹¹, log(0) finite on some drivers) and
 * promise nothing about NaN and ∞. Each operation's function has its twin in the reference backend's scalar folder.
 */
import { binaryExponent } from './binary-exponent.ts';
import { bits } from './bits.ts';
import { comparisons } from './comparisons.ts';
import { exponential } from './exponential.ts';
import { gamma } from './gamma.ts';
import { hyperbolic } from './hyperbolic.ts';
import { errorFunctions } from './erf.ts';
import { logarithm } from './logarithm.ts';
import { power } from './power.ts';
import { rounding } from './rounding.ts';
import { inverseTrigonometric, trigonometric } from './trigonometric.ts';
import type { Definitions } from './definition.ts';

const preamble = {
  ...bits,
  ...binaryExponent,
  ...comparisons,
  ...rounding,
  ...exponential,
  ...logarithm,
  ...power,
  ...trigonometric,
  ...inverseTrigonometric,
  ...hyperbolic,
  ...errorFunctions,
  ...gamma,
} satisfies Definitions;

export type PreambleName = keyof typeof preamble;

/** The definitions of these functions and of all that they call, callees first. */
export function preambleText(names: Iterable<PreambleName>): string {
  const written = new Set<string>();
  const texts: string[] = [];
  const write = (name: string): void => {
    if (written.has(name)) return;
    written.add(name);
    const text = (preamble as Definitions)[name];
    if (text === undefined) return;
    for (const word of text.match(/[A-Za-z_]\w*(?=\()/g) ?? []) if (Object.hasOwn(preamble, word)) write(word);
    texts.push(text);
  };
  for (const name of names) write(name);
  return texts.join('\n');
}

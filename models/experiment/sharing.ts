/** Which parameters of a shape are one for all groups, and which each group has of its own. */
import type { Shape } from '../library/shape.ts';

/** Names of the parameters that each group has of its own. */
export type Own = ReadonlySet<string>;

/** What is said of a shape's parameters: one for all groups, one for each, or one for each that a distribution holds together. */
export const sharings = ['shared', 'group', 'hierarchical'] as const;
export type Sharing = (typeof sharings)[number];
/** By name; `*` is all others. */
export type SaidSharing = ReadonlyMap<string, Sharing>;

/** Those of the shape's parameters that are said to be so. */
export function saidToBe({ parameters }: Pick<Shape, 'parameters'>, said: SaidSharing, sharing: Sharing): Own {
  return new Set(Object.keys(parameters).filter((name) => (said.get(name) ?? said.get('*') ?? 'shared') === sharing));
}

/**
 * Those that are tried: each group has all of its own; what the formula is not linear in; of that what is in units of x,
 * such as a half dose (of a sample where it lies, and not how wide it is); what the formula is linear in. Few, since each is a fit; any other can be asked for.
 */
export function sharingsOf({ parameters, density }: Shape, groups: number): readonly [Own, ...Own[]] {
  const names = Object.keys(parameters);
  if (groups < 2) return [new Set()];
  const linear = names.filter((name) => typeof parameters[name]!.start === 'string');
  const searched = names.filter((name) => !linear.includes(name));
  const inX = searched.filter((name) => parameters[name]!.unit === 'x');
  const places = density ? inX.slice(0, 1) : inX;
  const proper = [searched, places, linear].filter(
    (own, i, all) => own.length > 0 && own.length < names.length && (i !== 1 || own.length < all[0]!.length),
  );
  return [new Set(names), ...proper.map((own) => new Set(own))];
}

/** Those that differ in one parameter; something each group has of its own. */
export function togglesOf({ parameters }: Pick<Shape, 'parameters'>, own: Own): readonly Own[] {
  return Object.keys(parameters)
    .map((name) => new Set(own.has(name) ? [...own].filter((each) => each !== name) : [...own, name]))
    .filter(({ size }) => size > 0);
}

export function parameterCount({ parameters }: Shape, own: Own, groups: number): number {
  return Object.keys(parameters).reduce((sum, name) => sum + (own.has(name) ? groups : 1), 0);
}

/** The choice among the rules that match: the cheapest on a device, or the one that is forced. */
import type { Construct } from '../0-ir/program.ts';
import { estimate, type DeviceProfile } from './cost.ts';
import type { VjpRule } from './rule.ts';

export interface Choice {
  readonly rule: VjpRule;
  /** Nanoseconds per element of the domain, estimated. */
  readonly cost: number;
  readonly passedOver: readonly { readonly rule: VjpRule; readonly cost: number }[];
}

/** A rule that was asked for by name and does not apply. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

/**
 * `rules` come special before general, and of equal costs the first wins. Undefined where none matches: the construct
 * has no derivative.
 */
export function chooseRule(
  rules: readonly VjpRule[],
  construct: Construct,
  profile: DeviceProfile,
  forced?: string,
): Choice | undefined {
  const matching = rules
    .filter((rule) => rule.construct === construct.kind && rule.matches(construct))
    .map((rule) => ({ rule, cost: estimate(rule.cost(construct), profile) }));
  if (forced !== undefined && !matching.some(({ rule }) => rule.name === forced)) {
    const names = matching.map(({ rule }) => rule.name).join(', ');
    throw new RuleError(
      `the rule ${forced} does not apply to this ${construct.kind}; those that do: ${names || 'none'}`,
    );
  }
  let best: (typeof matching)[number] | undefined;
  for (const candidate of matching) {
    if (forced !== undefined ? candidate.rule.name === forced : !best || candidate.cost < best.cost) best = candidate;
  }
  return best && { ...best, passedOver: matching.filter((candidate) => candidate !== best) };
}

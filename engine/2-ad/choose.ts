/** The choice among the rules that match: the cheapest on a device, or the one that is forced. */
import type { Construct } from '../0-ir/program.ts';
import { estimate, type DeviceProfile } from './cost.ts';
import type { VjpRule } from './rule.ts';

export interface Choice {
  readonly rule: VjpRule;
  /** Nanoseconds per element of the domain, estimated. */
  readonly cost: number;
  /** What decided: the user, what a rule gives at the edges of the numbers, or the estimates. */
  readonly because: 'forced' | 'edges' | 'cost';
  readonly passedOver: readonly { readonly rule: VjpRule; readonly cost: number }[];
}

/** A rule that was asked for by name and does not apply. `origin`: the block. */
export class RuleError extends Error {
  override readonly name = 'RuleError';

  constructor(
    message: string,
    readonly origin?: string,
  ) {
    super(message);
  }
}

/**
 * `rules` come special before general: one that decides goes before all, and of equal costs the first wins. Undefined
 * where none matches: the construct has no derivative. A rule that is forced on a block holds for the block's constructs of the rule's own kind.
 */
export function chooseRule(
  rules: readonly VjpRule[],
  construct: Construct,
  profile: DeviceProfile,
  forced?: string,
  origin?: string,
): Choice | undefined {
  const matching = rules
    .filter((rule) => rule.construct === construct.kind && rule.matches(construct))
    .map((rule) => ({ rule, cost: estimate(rule.cost(construct), profile) }));
  const named = rules.find((rule) => rule.name === forced);
  if (forced !== undefined && !named) throw new RuleError(`there is no rule ${forced}`, origin);
  const isForced = named?.construct === construct.kind;
  if (isForced && !matching.some(({ rule }) => rule === named)) {
    const names = matching.map(({ rule }) => rule.name).join(', ');
    const message = `the rule ${forced} does not apply to this ${construct.kind}; those that do: ${names || 'none'}`;
    throw new RuleError(message, origin);
  }
  const best = isForced ? matching.find(({ rule }) => rule === named) : bestOf(matching);
  if (!best) return undefined;
  const because = isForced ? 'forced' : best.rule.decides ? 'edges' : 'cost';
  return { ...best, because, passedOver: matching.filter((candidate) => candidate !== best) };
}

function bestOf<C extends { readonly rule: VjpRule; readonly cost: number }>(candidates: readonly C[]): C | undefined {
  const deciding = candidates.find(({ rule }) => rule.decides);
  return deciding ?? candidates.reduce<C | undefined>((best, c) => (best && best.cost <= c.cost ? best : c), undefined);
}

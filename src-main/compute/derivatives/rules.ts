/** Which rewrite rule every reduce, scan and histogram of a model is differentiated by, and what that rule beat. */
import {
  type Choice,
  type DeviceKind,
  type DeviceProfile,
  estimate,
  optimize,
  primalCost,
  printProgram,
  profiles,
  type Statement,
  vjp,
} from '../../../engine/index.ts';
import { outputReferences, parametersOf, type Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { forceRules, type ForcedRules } from './forced-rules.ts';
import { asRefused } from '../running/refusals.ts';

export interface RuleReport {
  readonly id: string;
  readonly construct: string;
  readonly rule: string;
  /** How many scalars of the operator's Jacobian are stored for each element, of how many; null where the rule forms none. */
  readonly stored: number | null;
  readonly of: number | null;
  /** Nanoseconds for each element, estimated. */
  readonly cost: number;
  readonly passedOver: readonly { readonly rule: string; readonly cost: number }[];
}

/** What a person is told beside. */
export interface ExplainedRule extends RuleReport {
  readonly because: Choice['because'];
  /** The cost in units of what the block costs by itself, estimated. */
  readonly timesPrimal: number;
}

const reported: ReadonlySet<string> = new Set(['reduce', 'scan', 'histogram']);

function report(
  { construct, origin }: Statement,
  { rule, cost, because, passedOver }: Choice,
  profile: DeviceProfile,
): ExplainedRule {
  const [stored, of] = rule.stored?.(construct) ?? [null, null];
  const primal = primalCost(construct);
  return {
    id: origin ?? '',
    construct: construct.kind,
    rule: rule.name,
    stored,
    of,
    cost,
    passedOver: passedOver.map((other) => ({ rule: other.rule.name, cost: other.cost })),
    because,
    timesPrimal: primal ? cost / estimate(primal, profile) : NaN,
  };
}

const everything = (model: Model): string[] =>
  [...model.graph.top.blocks.values()].flatMap(({ block }) => outputReferences(model, block.id));

/** Of every block with a real value, differentiated by all of its real sources. Throws `Refused`. */
export function rulesOf(model: Model, device: DeviceKind, rules?: ForcedRules): ExplainedRule[] {
  // A block's own construct is told of first; what a lifted operator makes of it comes after.
  const reports = new Map<string, ExplainedRule>();
  const profile = profiles[device];
  try {
    const forced = forceRules(model, rules);
    vjp(lowerModel(model, { outputs: everything(model) }).program, {
      profile,
      ...forced.options((statement, choice) => {
        const { origin = '', construct } = statement;
        if (reported.has(construct.kind) && !reports.has(origin))
          reports.set(origin, report(statement, choice, profile));
      }),
    });
    forced.demandUsed();
  } catch (error) {
    throw asRefused(error);
  }
  return [...reports.values()];
}

/**
 * The differentiated program in the IR's text form, simplified and not fused: of the objective (or of the output `of`) by
 * the parameters, or, where the document has none, of every real output by what real sources there are. Throws `Refused`.
 */
export function adjointText(model: Model, device: DeviceKind, rules?: ForcedRules, of?: string): string {
  try {
    const forced = forceRules(model, rules);
    const toFit = (of !== undefined || model.objective.length > 0) && parametersOf(model).length > 0;
    const subject = of === undefined ? { objective: 'value' as const } : { outputs: [of] };
    const lowered = lowerModel(model, toFit ? subject : { outputs: everything(model) });
    const program = vjp(lowered.program, {
      profile: profiles[device],
      ...(toFit && { of: [of ?? 'objective'], by: lowered.parameters.map(({ id }) => id) }),
      ...forced.options(),
    });
    forced.demandUsed();
    return printProgram(optimize(program, { fuse: false }));
  } catch (error) {
    throw asRefused(error);
  }
}

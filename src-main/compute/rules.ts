/** Which rewrite rule every reduce, scan and histogram of a model is differentiated by, and what that rule beat. */
import { type Choice, type DeviceKind, profiles, type Statement, vjp } from '../../engine/index.ts';
import { outputReferences, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { asRefused } from './refusals.ts';

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

const reported: ReadonlySet<string> = new Set(['reduce', 'scan', 'histogram']);

function report({ construct, origin }: Statement, { rule, cost, passedOver }: Choice): RuleReport {
  const [stored, of] = rule.stored?.(construct) ?? [null, null];
  return {
    id: origin ?? '',
    construct: construct.kind,
    rule: rule.name,
    stored,
    of,
    cost,
    passedOver: passedOver.map((other) => ({ rule: other.rule.name, cost: other.cost })),
  };
}

/** Of every block with a real value, differentiated by all of its real sources. */
export function rulesOf(model: Model, device: DeviceKind): RuleReport[] {
  const outputs = [...model.graph.top.blocks.values()].flatMap(({ block }) => outputReferences(model, block.id));
  const reports: RuleReport[] = [];
  try {
    vjp(lowerModel(model, { outputs }).program, {
      profile: profiles[device],
      onChoice: (statement, choice) => {
        if (reported.has(statement.construct.kind)) reports.push(report(statement, choice));
      },
    });
  } catch (error) {
    throw asRefused(error);
  }
  return reports;
}

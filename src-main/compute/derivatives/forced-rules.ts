/** Rules that the user forces on blocks: named rightly, and used in the end. */
import { type Choice, type Statement, vjpRules } from '../../../engine/index.ts';
import { didYouMean } from '../../../models/notation/names.ts';
import type { Model } from '../../../models/load/model.ts';
import { Refused } from '../../refused.ts';

/** Block → name of a rule. */
export type ForcedRules = ReadonlyMap<string, string>;

export type OnChoice = (statement: Statement, choice: Choice) => void;

export interface Forcing {
  /** For `vjp`; `onChoice` is told of every choice. */
  options(onChoice?: OnChoice): { readonly force: ForcedRules; readonly onChoice: OnChoice };
  /** After `vjp`: throws `Refused` for a rule that nothing in its block was differentiated by. */
  demandUsed(): void;
}

/** Throws `Refused` where a block or a rule is not there. */
export function forceRules(model: Model, force: ForcedRules = new Map()): Forcing {
  for (const [block, name] of force) {
    if (!model.blocks.has(block))
      throw new Refused(`--rule: there is no block "${block}"${hint(block, [...model.blocks.keys()])}`);
    const names = vjpRules.map((rule) => rule.name);
    if (!names.includes(name)) throw new Refused(`--rule: there is no rule "${name}"${hint(name, names)}`);
  }
  const unused = new Map(force);
  return {
    options: (onChoice) => ({
      force,
      onChoice(statement, choice) {
        const origin = statement.origin ?? '';
        if (unused.get(origin) === choice.rule.name) unused.delete(origin);
        onChoice?.(statement, choice);
      },
    }),
    demandUsed() {
      for (const [block, name] of unused) {
        const construct = vjpRules.find((rule) => rule.name === name)?.construct;
        throw new Refused(
          `block "${block}": the rule ${name} is for ${construct}, and no derivative passes through one here`,
        );
      }
    },
  };
}

function hint(name: string, known: readonly string[]): string {
  const fix = didYouMean(name, known);
  return fix === undefined ? '' : ` (${fix})`;
}

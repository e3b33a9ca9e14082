/** `rules`: the rewrite rule of every reduce, scan and histogram, and what it beat; or the program that they write. */
import { adjointText, rulesOf, type RuleReport } from '../compute/derivatives/rules.ts';
import { withModel } from './model.ts';
import { parseRules, type ModelOptions } from './options.ts';
import { printColumns, printJson, shown } from './output/output.ts';

interface RulesOptions extends ModelOptions {
  readonly rule: readonly string[];
  readonly program: boolean;
}

const asReport = ({ id, construct, rule, stored, of, cost, passedOver }: RuleReport): RuleReport => ({
  id,
  construct,
  rule,
  stored,
  of,
  cost,
  passedOver,
});

const reasons = { forced: '--rule', edges: 'edge cases', cost: 'lowest cost' } as const;

export async function rules(path: string, options: RulesOptions): Promise<void> {
  const forced = parseRules(options.rule);
  const { blocks, program } = await withModel(path, options, async (model, device) => ({
    blocks: rulesOf(model, device.kind, forced),
    program: options.program ? adjointText(model, device.kind, forced) : undefined,
  }));
  if (options.json) {
    printJson({ blocks: blocks.map(asReport), program });
    return;
  }
  if (program !== undefined) {
    process.stdout.write(`${program.trimEnd()}\n`);
    return;
  }
  const head = ['id', 'construct', 'rule', 'chosen by', 'stored', 'cost (ns/element)', '× primal', 'passed over'];
  const rows = blocks.map(({ id, construct, rule, because, stored, of, cost, timesPrimal, passedOver }) => [
    id,
    construct,
    rule,
    reasons[because],
    stored === null ? '' : `${stored} of ${of}`,
    shown(cost),
    timesPrimal.toFixed(1),
    passedOver.map((other) => `${other.rule} ${shown(other.cost)}`).join(', '),
  ]);
  printColumns([head, ...rows]);
}

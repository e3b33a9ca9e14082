/** `rules`: the rewrite rule of every reduce, scan and histogram, and what it beat. */
import { rulesOf } from '../compute/rules.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printColumns, printJson, shown } from './output.ts';

export async function rules(path: string, options: ModelOptions): Promise<void> {
  const blocks = await withModel(path, options, async (model, device) => rulesOf(model, device.kind));
  if (options.json) {
    printJson({ blocks });
    return;
  }
  const head = ['id', 'construct', 'rule', 'stored', 'cost (ns/element)', 'passed over'];
  const rows = blocks.map(({ id, construct, rule, stored, of, cost, passedOver }) => [
    id,
    construct,
    rule,
    stored === null ? '' : `${stored} of ${of}`,
    shown(cost),
    passedOver.map((other) => `${other.rule} ${shown(other.cost)}`).join(', '),
  ]);
  printColumns([head, ...rows]);
}

/** What the engine says of the document: types and shapes of its wires, and what is wrong. */
import type { BlockReport, CheckReport, Client, Location, Problem } from '../../../src-main/contract/contract.ts';
import type { Draft } from './draft.ts';
import { inOrder } from './draft.ts';
import { latest } from '../window/latest.ts';
import type { OutputType } from './ports.ts';
import { isSource, outputTypes } from './ports.ts';
import { problemsOf } from '../window/refusal.ts';
import type { Checked } from './staleness.ts';

export class Checking {
  report = $state.raw<CheckReport | undefined>(undefined);
  /** The draft that `report` is about. */
  of = $state.raw<Draft | undefined>(undefined);
  readonly checked: Checked = $derived({ draft: this.of, meaning: this.report?.meaning });
  readonly types: ReadonlyMap<string, OutputType> = $derived(outputTypes(this.report));
  readonly blocks: ReadonlyMap<string, BlockReport> = $derived(
    new Map((this.report?.blocks ?? []).map((block) => [block.id, block])),
  );
  /** References of the real scalars that are computed. */
  readonly scalars: readonly string[] = $derived(scalarsOf(this.report));
  readonly problems: readonly Problem[] = $derived(this.report?.problems ?? []);
  readonly errors: readonly Problem[] = $derived(this.problems.filter((problem) => problem.severity === 'error'));
  /** Whether the objective, or what it is made of, is at fault: what depends on no fault goes on. */
  readonly atFault: boolean = $derived(this.errors.length > 0 && this.report?.handle === undefined);
  readonly check: (draft: Draft) => void;

  constructor(client: Client, location: () => Location, checked: () => void) {
    const take = (report: CheckReport, draft: Draft) => {
      this.report = keepKnown(this.report, report);
      this.of = draft;
      checked();
    };
    this.check = latest(
      (draft: Draft) => client.request('model.check', { document: inOrder(draft), location: location() }),
      take,
      (error, draft) => take({ blocks: this.report?.blocks ?? [], problems: [...problemsOf(error)] }, draft),
    );
  }

  /** Those of a block; of a group also what is wrong inside it, which is none of its ports'. */
  problemsIn(id: string): readonly Problem[] {
    return this.problems.flatMap((problem) => {
      if (problem.block === id) return [problem];
      return problem.block?.startsWith(`${id}/`) ? [{ ...problem, port: undefined, span: undefined }] : [];
    });
  }
}

function scalarsOf(report: CheckReport | undefined): readonly string[] {
  return (report?.blocks ?? []).flatMap(({ id, kind, outputs }) =>
    isSource(kind)
      ? []
      : outputs.flatMap(({ name, element, shape }) =>
          element === 'real' && shape.length === 0 ? [outputs.length === 1 ? id : `${id}.${name}`] : [],
        ),
  );
}

/** While a formula is being typed its block has no ports to report: it keeps those that it had. */
function keepKnown(before: CheckReport | undefined, now: CheckReport): CheckReport {
  if (!before) return now;
  const known = new Map(before.blocks.map((block) => [block.id, block]));
  const blocks = now.blocks.map((block) => {
    const old = known.get(block.id);
    if (!old || block.inputs.length > 0 || block.outputs.length > 0 || old.kind !== block.kind) return block;
    return { ...block, inputs: old.inputs };
  });
  return { ...now, blocks };
}

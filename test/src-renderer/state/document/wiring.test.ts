/** Wires and ports of the window, held against what the engine finds in every document of the catalogue. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDevices } from '../../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../../src-main/compute/sessions.ts';
import type { CheckReport } from '../../../../src-main/contract/contract.ts';
import { answers } from '../../../../src-main/engine-process/answers.ts';
import { readDocument } from '../../../../src-main/files/documents.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import { inOrder, readDraft, type Draft } from '../../../../src-renderer/state/document/draft.ts';
import { fits, outputTypes, portsOf } from '../../../../src-renderer/state/document/ports.ts';
import { referencesOf } from '../../../../src-renderer/state/document/references.ts';
import { blockOfReference, withSource } from '../../../../src-renderer/state/document/wiring.ts';

const folder = join(import.meta.dirname, '../../../../models/catalogue');
const served = answers(createSessions(folder), createDevices(undefined), 'cpu');
const names = readdirSync(folder).flatMap((file) => /^(.*)\.cot\.json$/.exec(file)?.[1] ?? []);

async function opened(name: string): Promise<{ draft: Draft; report: CheckReport; check: typeof check }> {
  const check = (draft: Draft) =>
    served['model.check']({ document: inOrder(draft), location: { kind: 'example', name } }) as Promise<CheckReport>;
  const { draft } = readDraft(await readDocument(join(folder, `${name}.cot.json`)));
  return { draft, report: await check(draft), check };
}

const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort();

describe.each(names)('%s', (name) => {
  it('takes from other blocks what the engine finds that it takes', async () => {
    const { draft, report } = await opened(name);
    const reports = new Map(report.blocks.map((block) => [block.id, block]));
    for (const block of draft.blocks) {
      const found = reports
        .get(block.id)!
        .inputs.flatMap(({ source }) => (source === undefined ? [] : [blockOfReference(source)]));
      expect([block.id, sorted(referencesOf(block).map(blockOfReference))]).toEqual([block.id, sorted(found)]);
    }
  });

  it('is wired as before where a wire is drawn that is there', async () => {
    const { draft, report } = await opened(name);
    const reports = new Map(report.blocks.map((block) => [block.id, block]));
    for (const block of draft.blocks)
      for (const { port, source } of reports.get(block.id)!.inputs)
        if (source !== undefined) expect(referencesOf(withSource(block, port, source))).toEqual(referencesOf(block));
  });

  it('means the same when every block but its parameters has another name', async () => {
    // Deviations of random effects are parameters by the name of their block.
    const named = ['parameter', 'random-effect'];
    const { draft, report, check } = await opened(name);
    const others = draft.blocks.filter(({ kind }) => !named.includes(kind));
    const renamed = others.reduce(
      (next, { id }) => applyCommand(next, { type: 'rename', id, to: `${id}_renamed` }),
      draft,
    );
    const after = await check(renamed);
    expect(after.problems).toEqual(report.problems);
    expect(after.meaning?.objective).toBe(report.meaning?.objective);
  });

  it('has no wire of which the canvas says that it does not fit, but numbers of data where whole ones are wanted', async () => {
    const { draft, report } = await opened(name);
    const types = outputTypes(report);
    const reports = new Map(report.blocks.map((block) => [block.id, block]));
    const ports = draft.blocks.map((block) => ({ block, ...portsOf(draft, block, reports.get(block.id), types, []) }));
    const outputs = new Map(ports.flatMap((of) => of.outputs.map((port) => [port.name, port])));
    for (const { block, inputs } of ports)
      for (const input of inputs) {
        const output = outputs.get(input.source ?? '');
        if (output && !(output.element === 'real' && ['keys', 'indices'].includes(input.name)))
          expect([block.id, input.name, fits(output, input)]).toEqual([block.id, input.name, true]);
      }
  });
});

/** The list of runs of a document that two windows have open. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Location } from '../../../../src-main/contract/contract.ts';
import { createRunLists } from '../../../../src-main/files/run-lists.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { RunKeeper } from '../../../../src-renderer/state/document/keeper.ts';
import { mergedRuns } from '../../../../src-renderer/state/study/merged-runs.ts';
import type { Runs } from '../../../../src-renderer/state/document/runs.ts';
import { edited, noRuns, readRuns, runsText, withRun } from '../../../../src-renderer/state/document/runs.ts';
import { studyRun } from '../../../../src-renderer/state/study/found-runs.ts';
import { bootstrapReport } from '../../../support/fits/study-report.ts';
import { playedEngine } from '../../../support/played-engine.ts';

const draft: Draft = { format: 'cotangent/1', blocks: [{ id: '__proto__', kind: 'parameter', initial: 1 }] };
const run = (number: number, of: Draft = draft) => ({
  ...studyRun(bootstrapReport(`run ${number}`, 3), of),
  ...{ number, name: '', pinned: false },
});
const runsOf = (count: number, of?: Draft): Runs =>
  Array.from({ length: count }, (_, i) => run(i + 1, of)).reduce(withRun, noRuns);

describe('two windows that have the list of one document', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'cotangent-runs-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = '/home/ada/decay.cot.json';

  /** A window that has opened the document, of a host of its own. */
  async function opened() {
    const lists = createRunLists(folder);
    const engine = playedEngine({
      'files.keepRuns': ({ location, runs, over }) =>
        lists.keep(location.kind === 'file' ? location.path : '', runs, over),
    });
    const found = await lists.read(path);
    const own = {
      location: { kind: 'file', path } as Location,
      runs: readRuns(found?.text, draft),
      did: (runs: Runs): Promise<void> => {
        own.runs = runs;
        keeper.keep();
        return keeper.flush();
      },
    };
    const failed = vi.fn();
    const keeper = new RunKeeper({
      ...{ client: engine.client, location: () => own.location, runs: () => own.runs, draft: () => draft },
      ...{ merge: (before: Runs, there: Runs) => void (own.runs = mergedRuns(before, own.runs, there)), failed },
    });
    if (found) keeper.found(found.hash, own.runs);
    return own;
  }
  const numbered = ({ list }: Runs) => list.map(({ number, finishedAt, name }) => [number, finishedAt, name]);

  it('keeps what either ran, renamed, pinned and removed, by whoever it was written last', async () => {
    await (await opened()).did(runsOf(3));
    const [one, other] = [await opened(), await opened()];
    await one.did(
      (
        [
          { edit: 'rename', number: 1, name: 'of one' },
          { edit: 'remove', number: 2 },
        ] as const
      ).reduce(edited, withRun(one.runs, run(4))),
    );
    const theirs = { ...run(4), finishedAt: run(5).finishedAt };
    await other.did(
      (
        [
          { edit: 'pin', number: 3, pinned: true },
          { edit: 'compare', number: 4, wanted: true },
          { edit: 'rename', number: 2, name: 'removed by then' },
        ] as const
      ).reduce(edited, withRun(other.runs, theirs)),
    );
    const third = await opened();
    expect(third.runs).toEqual(other.runs);
    expect(numbered(third.runs)).toEqual([
      [3, 'run 3', ''],
      [5, 'run 5', ''],
      [4, 'run 4', ''],
      [1, 'run 1', 'of one'],
    ]);
    expect(third.runs).toMatchObject({ last: 5, compared: [5], list: [{ pinned: true }, {}, {}, {}] });
    expect(third.runs.removed.map(({ number }) => number)).toEqual([2]);
    // The first has not heard of it, brings back what it removed, and takes its name from what it named.
    await one.did(
      (
        [
          { edit: 'bring-back', number: 2 },
          { edit: 'rename', number: 1, name: '' },
        ] as const
      ).reduce(edited, one.runs),
    );
    expect(numbered((await opened()).runs)).toEqual([
      [3, 'run 3', ''],
      [5, 'run 5', ''],
      [4, 'run 4', ''],
      [2, 'run 2', 'removed by then'],
      [1, 'run 1', ''],
    ]);
  });

  it('bring nothing back that was removed so long ago that nobody can', async () => {
    await (await opened()).did(runsOf(30));
    const [one, other] = [await opened(), await opened()];
    const numbers = Array.from({ length: 25 }, (_, i) => i + 1);
    await one.did(numbers.reduce((runs, number) => edited(runs, { edit: 'remove', number }), one.runs));
    await other.did(edited(other.runs, { edit: 'pin', number: 26, pinned: true }));
    expect((await opened()).runs.list.map(({ number }) => number)).toEqual([26, 30, 29, 28, 27]);
    // Nor does one whose edits a crash left, which knows nothing of what lies there.
    const there = edited(runsOf(3), { edit: 'remove', number: 2 });
    expect(mergedRuns(noRuns, runsOf(3), there)).toEqual(there);
  });

  it('write over what is no list, and over that of the document whose place theirs takes', async () => {
    const one = await opened();
    await one.did(runsOf(2));
    await createRunLists(folder).keep(path, 'no list');
    await one.did(withRun(one.runs, run(3)));
    expect((await opened()).runs).toEqual(runsOf(3));
    const elsewhere = '/home/ada/other.cot.json';
    await createRunLists(folder).keep(elsewhere, runsText(withRun(noRuns, run(9))));
    one.location = { kind: 'file', path: elsewhere };
    await one.did(one.runs);
    expect(readRuns((await createRunLists(folder).read(elsewhere))?.text, draft)).toEqual(runsOf(3));
  });
});

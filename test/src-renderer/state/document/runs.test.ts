/** The list of runs that the host keeps of a document's file. */
import { describe, expect, it, vi } from 'vitest';
import type { Location } from '../../../../src-main/contract/contract.ts';
import { mostRunCharacters } from '../../../../src-main/contract/keeping.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { RunKeeper } from '../../../../src-renderer/state/document/keeper.ts';
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

describe('the list of runs', () => {
  it('comes back with names, pins, numbers and what was removed, and shares the draft that is open', () => {
    const runs = (
      [
        { edit: 'rename', number: 1, name: 'the first' },
        { edit: 'pin', number: 1, pinned: true },
        { edit: 'remove', number: 2 },
        { edit: 'compare', number: 3, wanted: true },
      ] as const
    ).reduce(edited, { ...runsOf(3), list: [{ ...run(3), objective: NaN }, run(2), run(1)] });
    const open = structuredClone(draft);
    const read = readRuns(runsText(runs), open);
    expect(read).toEqual(runs);
    expect([...read.list, ...read.removed].every((each) => each.draft === open)).toBe(true);
  });

  it('is bounded in its number and its length, and keeps what is pinned and the newest', () => {
    const runs = edited(runsOf(150), { edit: 'pin', number: 1, pinned: true });
    const numbers = readRuns(runsText(runs), draft).list.map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers[1], numbers.at(-1)]).toEqual([100, 1, 150, 52]);
    const large = Array.from({ length: 20 }, (_, i) => run(i + 1, { ...draft, note: `${i}`.padEnd(500_000) }));
    const text = runsText(large.reduce(withRun, noRuns));
    expect(text.length).toBeLessThanOrEqual(mostRunCharacters);
    const kept = readRuns(text, draft);
    expect([kept.last, kept.list[0]?.number, kept.list.length]).toEqual([20, 20, 6]);
    const beyond = withRun(noRuns, run(7, { ...draft, note: ' '.repeat(mostRunCharacters) }));
    expect(readRuns(runsText(beyond), draft)).toEqual({ ...noRuns, last: 7 });
  });

  it('is none where it cannot be read, and knows lists in which nothing was removed', () => {
    for (const text of [undefined, '', '{', '[]', '[{"last":1,"list":[1]},[7]]'])
      expect(readRuns(text, draft)).toEqual(noRuns);
    const { removed: _, ...old } = runsOf(2);
    expect(readRuns(runsText({ ...old, removed: [] }), draft)).toEqual(runsOf(2));
  });
});

describe('keeping it', () => {
  it('sends what changed at once, and of several changes meanwhile the last; of a file alone', async () => {
    let runs = runsOf(1);
    let location: Location = { kind: 'unsaved' };
    let answer = (): void => undefined;
    const engine = playedEngine({
      'files.keepRuns': () => new Promise((resolve) => (answer = () => resolve({ hash: 'h' }))),
    });
    const failed = vi.fn();
    const keeper = new RunKeeper({
      ...{ client: engine.client, location: () => location, runs: () => runs, draft: () => draft },
      ...{ merge: vi.fn(), failed },
    });
    keeper.keep();
    expect([engine.of('files.keepRuns'), keeper.pending]).toEqual([[], false]);
    location = { kind: 'file', path: '/home/ada/decay.cot.json' };
    keeper.keep();
    for (const name of ['a', 'b']) {
      runs = edited(runs, { edit: 'rename', number: 1, name });
      keeper.keep();
    }
    expect([engine.of('files.keepRuns').length, keeper.pending]).toEqual([1, true]);
    answer();
    await vi.waitUntil(() => engine.of('files.keepRuns').length === 2);
    answer();
    await keeper.flush();
    expect(keeper.pending).toBe(false);
    expect(engine.of('files.keepRuns')[1]).toMatchObject({ location, runs: runsText(runs) });
    expect(failed.mock.calls).toEqual([[null], [null]]);
  });
});

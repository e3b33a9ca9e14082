/** The state of an open document, with an engine that answers what the document means. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevices } from '../../../src-main/compute/running/devices.ts';
import { createSessions } from '../../../src-main/compute/sessions.ts';
import { answers } from '../../../src-main/engine-process/answers.ts';
import { readDocument, readFit } from '../../../src-main/files/documents.ts';
import type { Location } from '../../../src-main/contract/contract.ts';
import { type Draft, readDraft } from '../../../src-renderer/state/document/draft.ts';
import { openSession } from '../../../src-renderer/state/document/session.ts';
import { Studio } from '../../../src-renderer/state/studio.svelte.ts';
import { playedEngine, type Answers } from '../../support/played-engine.ts';

const folder = join(import.meta.dirname, '../../../models/catalogue');
const served = answers(createSessions(folder), createDevices(undefined), 'cpu');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function opened(name: string, played: Answers = {}) {
  const path = join(folder, `${name}.cot.json`);
  const { draft } = readDraft(await readDocument(path));
  return openedDraft(draft, { played, fit: await readFit(path), location: { kind: 'example', name } });
}

interface With {
  readonly played?: Answers;
  readonly fit?: Awaited<ReturnType<typeof readFit>>;
  readonly location?: Location;
}

/** Checked once it has been opened; evaluations are never answered unless the test does. */
async function openedDraft(draft: Draft, { played = {}, fit = null, location = { kind: 'unsaved' } }: With = {}) {
  let checking: Promise<unknown> = Promise.resolve();
  const engine = playedEngine({
    'model.check'(body) {
      const answer = Promise.resolve((played['model.check'] ?? served['model.check'])(body));
      checking = answer;
      return answer;
    },
    ...(played['model.plots'] && { 'model.plots': played['model.plots'] }),
  });
  const studio = new Studio(engine.client, openSession(draft, { saved: true, fit }), location);
  /** Until what has been edited is checked, and the window has heard of it. */
  const checked = async (): Promise<void> => {
    vi.runAllTimers();
    await checking;
    await new Promise((resolve) => setImmediate(resolve));
  };
  await checked();
  return { studio, engine, checked };
}

const shown = (studio: Studio) => ({
  stale: studio.stale,
  point: [...studio.point].map(([id, values]) => [id, ...values]),
  runs: studio.results.runs.length,
});

describe('the fit of an example', () => {
  it('stands when the example is opened, and through whatever leaves the meaning alone', async () => {
    const { studio, checked } = await opened('theophylline-oral');
    const before = shown(studio);
    expect(before).toMatchObject({ stale: [], runs: 1 });
    const curve = studio.draft.blocks.find(({ kind }) => kind === 'map')!.id;
    for (const edit of [
      () => studio.perform({ type: 'pack', ids: [curve], id: 'packed', at: [0, 0], positions: [] }),
      () => studio.perform({ type: 'unpack', id: 'packed', positions: [] }),
      () => studio.perform({ type: 'rename', id: curve, to: 'renamed' }),
      () => studio.perform({ type: 'set', id: 'renamed', key: 'note', value: 'as in the paper' }),
      () => studio.perform({ type: 'document', key: 'name', value: 'Another name' }),
    ]) {
      edit();
      expect(shown(studio)).toEqual(before);
      await checked();
      expect(shown(studio)).toEqual(before);
    }
  });

  it('is stale when the model means something else, and stands again when that is undone', async () => {
    const { studio, checked } = await opened('theophylline-oral');
    const { point } = shown(studio);
    const curve = studio.draft.blocks.find(({ kind, id }) => kind === 'map' && id)!;
    studio.perform({ type: 'set', id: curve.id, key: 'formula', value: `2 * (${String(curve['formula'])})` });
    await checked();
    expect(studio.stale).toEqual([curve.id]);
    expect(shown(studio).point).not.toEqual(point);
    studio.undo();
    await checked();
    expect(studio.stale).toEqual([]);
    expect(shown(studio).point).toEqual(point);
  });

  it('is not what is plotted once it is stale, which is said, nor is what a model at fault was', async () => {
    const { studio, checked } = await opened('theophylline-oral');
    expect(studio.plottedAt).toBe('');
    const curve = studio.draft.blocks.find(({ kind, id }) => kind === 'map' && id)!;
    const write = (formula: string) => studio.perform({ type: 'set', id: curve.id, key: 'formula', value: formula });
    write(`2 * (${String(curve['formula'])})`);
    await checked();
    expect(studio.plottedAt).toBe('at the start values');
    write('2 *');
    await checked();
    expect(studio.plottedAt).toBe('of before the model was at fault');
  });

  it('gives way to a slider at once', async () => {
    const { studio } = await opened('theophylline-oral');
    const [id, [value = NaN] = []] = [...studio.point][0]!;
    studio.setParameter(id, 0, value * 1.01);
    expect(studio.stale).toContain(id);
    expect(studio.point.get(id)?.[0]).toBe(value * 1.01);
  });

  it('draws what was plotted until the engine has answered a slider, and not anew', async () => {
    const { studio } = await opened('theophylline-oral');
    const axis = { id: 'x', label: 'x', unit: '', scale: 'linear' } as const;
    const plot = {
      of: 'loss',
      prediction: 'f',
      by: null,
      x: axis,
      y: axis,
      groups: [{ key: null, points: { x: [1], y: [2] } }],
    };
    studio.evaluation.plots = [
      { ...plot, kind: 'comparison' },
      { ...plot, kind: 'residuals' },
    ];
    const [id, [value = NaN] = []] = [...studio.point][0]!;
    studio.setParameter(id, 0, value * 1.01);
    const before = studio.pictures;
    expect(before).toHaveLength(1);
    studio.setParameter(id, 0, value * 1.02);
    expect(studio.pictures).toBe(before);
    studio.evaluation.plots = [...studio.evaluation.plots];
    expect(studio.pictures).not.toBe(before);
  });
});

it('is drawn of the tables as they are once another program has written one, though the draft is what it was', async () => {
  let checks = 0;
  const { studio, engine, checked } = await opened('misra1a', {
    'model.check': async (body) => ({ ...(await served['model.check'](body)), handle: `check ${++checks}` }),
    'model.plots': () => ({ values: {}, plots: [], faults: [], milliseconds: 0 }),
  });
  studio.readTablesAgain();
  await checked();
  expect(engine.of('model.plots').at(-1)).toMatchObject({ handle: 'check 2' });
});

describe('the values that a run ended with', () => {
  const parameter = (id: string, like?: string) => ({ id, kind: 'parameter', initial: 1, ...(like && { like }) });
  const document = {
    format: 'cotangent/1',
    tables: { data: { columns: { who: ['b', 'a', 'c', 'a'], y: [1, 2, 3, 4] } } },
    blocks: [
      { id: 'who', kind: 'column', table: 'data', column: 'who' },
      { id: 'y', kind: 'column', table: 'data', column: 'y' },
      parameter('level', 'who'),
      parameter('slope'),
      { id: 'line', kind: 'map', formula: 'level[who] + slope' },
      { id: 'loss', kind: 'least-squares', prediction: 'line', observed: 'y' },
    ],
    objective: 'loss',
  };
  const started = async (found: Record<string, number[]>, labels: Record<string, string[]>) => {
    const { studio } = await openedDraft(readDraft(document).draft);
    expect(studio.labels.get('level')).toEqual(['b', 'a', 'c']);
    studio.startAt(new Map(Object.entries(found)), new Map(Object.entries(labels)));
    return Object.fromEntries(studio.draft.blocks.map((block) => [block.id, block['initial']]));
  };

  it('become the starts of the labels that they were found for, wherever these stand now', async () => {
    const start = await started({ level: [10, 20, 30], slope: [5] }, { level: ['a', 'b', 'z'] });
    expect(start).toMatchObject({ level: [20, 10, 1], slope: 5 });
  });

  it('go by places where nothing was labelled, and nowhere where there are other places', async () => {
    expect(await started({ level: [10, 20, 30] }, {})).toMatchObject({ level: [10, 20, 30] });
    expect(await started({ level: [10, 20], slope: [5, 6], gone: [1] }, {})).toMatchObject({ level: 1, slope: 1 });
  });
});

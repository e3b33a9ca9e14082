/**
 * Each process of the desktop app is killed in turn, at a random instant of what somebody does with it: the window is kept or
 * comes back with every edit that it had called kept, says what happened, and the next fit is right. `KILLS` is how often
 * each is killed (200 in the long mode).
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { ElectronApplication } from '@playwright/test';
import fc from 'fast-check';
import type { FitReport } from '../../src-main/contract/contract.ts';
import { seed } from '../support/seed.ts';
import { expect, test, type Place } from './window.ts';

const kills = Number(process.env['KILLS'] ?? 1);

/** What is killed, and what the window then says. The system's GPU process says nothing where nobody computes on it. */
const victims = {
  engine: /engine was started again/,
  'GPU window': /GPU/,
  page: /page ended \(\w+\) and was opened again/,
  'GPU process': undefined,
} as const;
type Victim = keyof typeof victims;

/**
 * Where a fit takes milliseconds, who computes and who shows it; where there is a GPU, what it needs besides. Software compiles
 * its kernels for a minute once its process was killed: a fit is waited for after each tenth round there.
 */
const devices = [
  { device: 'cpu', killed: ['engine', 'page'], fitEvery: 1 },
  { device: 'webgpu', killed: ['GPU window', 'GPU process'], fitEvery: 10 },
] as const satisfies readonly { device: string; killed: readonly Victim[]; fitEvery: number }[];

interface Seen {
  readonly title: string;
  readonly said: string;
  /** Whether nothing that was done is still to be kept. */
  readonly kept: boolean;
  readonly outcome: string;
  /** The question that waits for an answer. */
  readonly asked: string;
}

/**
 * The hand and the eye of who sits in front of it, in the page itself: Playwright's own are gone for good where a page
 * has crashed once.
 */
const inPage = `
  const button = (name) => [...document.querySelectorAll('button, [role=tab]')].find(
    (each) => [each.textContent.trim(), each.getAttribute('aria-label'), each.title].some((text) => text === name) && !each.disabled);
  const click = (name) => (button(name)?.click(), new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  const textOf = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent).join(' | ');
  const acts = {
    async rename(to) {
      await click('Rename');
      const field = document.querySelector('[aria-label="Name of the model"]');
      if (field) { field.value = to; field.blur(); }
    },
    fit: () => document.querySelector('[aria-keyshortcuts="Control+Enter"]:not(:disabled)')?.click(),
    starts: () => click('Try 64 starts'),
    study: async () => { await click('Uncertainty'); await click('Run'); await click('Run again'); await click('Fit'); },
    save: () => click('Save'),
    undo: async (to) => { await acts.rename(to); await click('Undo'); await click('Redo'); },
    quiet: async () => { await click('Dismiss'); await click('Dismiss'); },
    see: () => ({
      title: document.title,
      said: textOf('[role=alert]'),
      kept: /Every edit kept/.test(textOf('footer')),
      outcome: textOf('[aria-label="Outcome of the fit"]').trim(),
      asked: textOf('dialog[open]'),
    }),
  };
`;

/** Undefined where the page ends before it has answered. */
async function act<T>(electron: ElectronApplication, what: string, argument = ''): Promise<T | undefined> {
  const script = `(async () => { ${inPage} return await acts[${JSON.stringify(what)}](${JSON.stringify(argument)}); })()`;
  return electron.evaluate(async ({ BrowserWindow }, code) => {
    const window = BrowserWindow.getAllWindows().find((each) => each.isVisible());
    if (!window || window.webContents.isCrashed() || window.webContents.isLoading()) return undefined;
    const gone = new Promise<undefined>((resolve) =>
      window.webContents.once('render-process-gone', () => resolve(undefined)),
    );
    const answer = window.webContents.executeJavaScript(code).catch(() => undefined) as Promise<never>;
    return Promise.race([answer, gone]);
  }, script);
}

/** The process to be killed; 0 where there is none now. */
const pidOf = (electron: ElectronApplication, victim: Victim): Promise<number> =>
  electron.evaluate(({ app, webContents }, name) => {
    const contents = (end: string) =>
      webContents.getAllWebContents().find((each) => each.getURL().endsWith(end) && !each.isCrashed());
    if (name === 'page') return contents('/index.html')?.getOSProcessId() ?? 0;
    if (name === 'GPU window') return contents('/gpu.html')?.getOSProcessId() ?? 0;
    const named = name === 'engine' ? 'Cotangent engine' : 'GPU';
    return app.getAppMetrics().find(({ name: own, type }) => (own ?? type) === named || type === named)?.pid ?? 0;
  }, victim);

async function dieInTurn(place: Place, { device, killed, fitEvery }: (typeof devices)[number]): Promise<void> {
  const { electron, close } = await place.open(place.model, { COTANGENT_DEVICE: device });
  if (!electron) throw new Error('the desktop app is Electron');
  const see = async (): Promise<Seen> =>
    (await act<Seen>(electron, 'see')) ?? { title: '', said: '', kept: false, outcome: '', asked: '' };
  await expect.poll(async () => (await see()).title).toMatch(/Misra1a/);

  const deeds = ['rename', 'fit', 'starts', 'study', 'save', 'undo'] as const;
  const round = fc.tuple(
    fc.shuffledSubarray<Victim>([...killed], { minLength: killed.length }),
    fc.array(fc.tuple(fc.subarray([...deeds], { minLength: 1 }), fc.nat(1500)), {
      minLength: killed.length,
      maxLength: killed.length,
    }),
  );
  const fitFile = place.model.replace('.cot.json', '.fit.json');
  let edit = 0;
  for (const [turn, [order, instants]] of fc.sample(round, { numRuns: kills, seed }).entries()) {
    for (const [i, victim] of order.entries()) {
      const [done, after] = instants[i]!;
      await act(electron, 'quiet');
      if (victim === 'GPU window' && (await pidOf(electron, victim)) === 0) {
        await act(electron, 'fit');
        await expect.poll(() => pidOf(electron, victim)).toBeGreaterThan(0);
      }
      await act(electron, 'rename', `Edit ${++edit}`);
      await expect
        .poll(see)
        .toEqual(expect.objectContaining({ title: expect.stringContaining(`Edit ${edit} `), kept: true }));
      const pid = await pidOf(electron, victim);
      const what = `${victim} (${pid}) after ${after} ms of ${done.join(', ')}, edit ${edit}`;
      expect(pid, what).toBeGreaterThan(0);
      const killing = new Promise<void>((resolve) => {
        setTimeout(() => {
          process.kill(pid, 'SIGKILL');
          resolve();
        }, after);
      });
      for (const deed of done) await act(electron, deed, `Edit ${edit}, ${deed}`);
      await killing;
      const said = victims[victim];
      if (said) await expect.poll(async () => (await see()).said, { message: what }).toMatch(said);
      // What was called kept is there, and it goes on.
      await expect.poll(async () => (await see()).title, { message: what }).toContain(`Edit ${edit}`);
    }
    if ((turn + 1) % fitEvery !== 0 && turn + 1 < kills) continue;
    rmSync(fitFile, { force: true });
    // Which fit or study was under way, and what came of it, is nothing to the next.
    await expect
      .poll(
        async () => {
          const seen = await see();
          if (existsSync(fitFile)) return 'saved';
          await act(electron, seen.outcome.startsWith('Converged') ? 'save' : 'fit');
          return seen;
        },
        { timeout: 600_000, intervals: [500] },
      )
      .toBe('saved');
    const { estimates } = JSON.parse(readFileSync(fitFile, 'utf8')) as FitReport;
    expect(estimates[0]?.value).toBeCloseTo(238.94212918, 5);
    expect(readFileSync(place.model, 'utf8')).toContain(`Edit ${edit}`);
  }
  await close();
}

for (const each of devices)
  test(`${each.killed.join(', ')} killed on ${each.device}: the window has everything and says what happened`, async ({
    place,
    host,
  }) => {
    test.skip(host === 'browser', 'a browser has processes of its own, which it brings back itself');
    // One death of each is in desktop.spec.ts and faults.spec.ts.
    test.skip(process.env['KILLS'] === undefined, 'the long mode: KILLS=200');
    test.setTimeout((1 + kills) * 900_000);
    await dieInTurn(place, each);
  });

test('a fit whose GPU window is killed ends right, each time', async ({ place, host }) => {
  test.skip(host === 'browser', 'a browser has no window for the GPU');
  const fits = Math.min(20, kills);
  test.setTimeout((1 + fits) * 300_000);
  const { electron, close } = await place.open(place.model, { COTANGENT_DEVICE: 'webgpu' });
  if (!electron) throw new Error('the desktop app is Electron');
  const see = async (): Promise<Seen> =>
    (await act<Seen>(electron, 'see')) ?? { title: '', said: '', kept: false, outcome: '', asked: '' };
  await expect.poll(async () => (await see()).title).toMatch(/Misra1a/);
  const fitFile = place.model.replace('.cot.json', '.fit.json');
  for (const [i, after] of fc.sample(fc.nat(400), { numRuns: fits, seed }).entries()) {
    const what = `fit ${i}, killed ${after} ms after it had begun`;
    await act(electron, 'quiet');
    rmSync(fitFile, { force: true });
    let pid = 0;
    await expect
      .poll(
        async () => {
          // The model may not have been checked yet: then there is nothing to press.
          if (!/^(Fitting|Converged)/.test((await see()).outcome) || pid === 0) await act(electron, 'fit');
          return (pid = await pidOf(electron, 'GPU window'));
        },
        { message: what },
      )
      .toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, after));
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await see()).outcome, { message: what, timeout: 280_000 }).toMatch(/^Converged/);
    await act(electron, 'save');
    await expect.poll(() => existsSync(fitFile), { message: what }).toBe(true);
    const { estimates } = JSON.parse(readFileSync(fitFile, 'utf8')) as FitReport;
    expect(estimates[0]?.value, what).toBeCloseTo(238.94212918, 5);
  }
  await close();
});

import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FitReport } from '../../src-main/contract/contract.ts';
import { expect, test } from './window.ts';

test('a page reaches neither Node nor the network nor another page', async ({ place }) => {
  const { page } = await place.open();
  await expect(page).toHaveTitle(/Misra1a/);
  const found = await page.evaluate(async () => {
    const fails = (work: () => Promise<unknown>) =>
      work().then(
        () => false,
        () => true,
      );
    return {
      node: ['require', 'process', 'Buffer', 'electron'].filter((name) => name in globalThis),
      network: await fails(() => fetch('https://example.com')),
      file: await fails(() => fetch('file:///etc/passwd')),
      inline: ((script) => {
        script.textContent = 'globalThis.inlineScriptRan = true';
        document.head.append(script);
        return 'inlineScriptRan' in globalThis;
      })(document.createElement('script')),
      opened: window.open('https://example.com'),
      isolated: crossOriginIsolated,
    };
  });
  expect(found).toEqual({ node: [], network: true, file: true, inline: false, opened: null, isolated: true });
  await page.evaluate(() => void setTimeout(() => (location.href = 'https://example.com')));
  await page.waitForTimeout(500);
  expect(page.url()).toBe('app://cotangent/index.html');
});

test('the engine finds the GPU through the hidden window', async ({ place }) => {
  const { page, electron } = await place.open(place.model, { COTANGENT_DEVICE: 'auto' });
  await expect(page.getByText('since there is no real GPU')).toBeVisible();
  const pages = electron?.windows().map((window) => new URL(window.url()).pathname);
  expect(pages?.sort()).toEqual(['/gpu.html', '/index.html']);
});

test('a fit runs its plans on the GPU in the hidden window', async ({ place }) => {
  const { page } = await place.open(place.model, { COTANGENT_DEVICE: 'webgpu' });
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);
  await page.getByRole('button', { name: 'Save' }).click();
  const fitFile = place.model.replace('.cot.json', '.fit.json');
  await expect.poll(() => existsSync(fitFile)).toBe(true);
  const { device, precision, estimates } = JSON.parse(readFileSync(fitFile, 'utf8')) as FitReport;
  // Begun on the GPU in f32, ended on the CPU in f64: NIST's certified value.
  expect({ device, precision }).toEqual({ device: 'webgpu', precision: 'f64' });
  expect(estimates[0]?.value).toBeCloseTo(238.94212918, 5);
});

test('the window outlives its engine, and a home in which nothing can be written', async ({ place }) => {
  // No folder can be made in a file, whoever tries.
  const home = { XDG_CONFIG_HOME: place.model, TMPDIR: place.folder };
  const { page, electron } = await place.open(place.model, home);
  await expect(page).toHaveTitle(/Misra1a/);
  const said = page.getByRole('alert').filter({ hasText: `are in ${place.folder}` });
  await expect(said).toContainText(`The folder ${place.model}/Cotangent cannot be written`);
  await said.getByRole('button', { name: 'Dismiss' }).click();
  await electron?.evaluate(({ app }) => {
    const engine = app.getAppMetrics().find(({ name }) => name === 'Cotangent engine');
    if (!engine) throw new Error('there is no engine process');
    process.kill(engine.pid, 'SIGKILL');
  });
  await expect(page.getByRole('alert').filter({ hasText: 'engine' }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Fit', exact: true }).click();
  await expect(page.getByRole('status', { name: 'Outcome of the fit' })).toHaveText(/^\s*Converged/);

  // It is not closed over edits that can be kept nowhere, unless that is wanted.
  const [data] = readdirSync(place.folder).filter((name) => name.startsWith('cotangent'));
  const copies = join(place.folder, data!, 'state', 'kept');
  rmSync(copies, { recursive: true });
  writeFileSync(copies, '');
  await page.getByTitle('Rename', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name of the model' }).fill('Kept nowhere');
  await page.keyboard.press('Enter');
  await expect(page.locator('footer')).toContainText('The last edits are not kept');
  const close = (answer: 'Stay' | 'Lose them') =>
    electron?.evaluate(
      ({ BrowserWindow, dialog }, wanted) =>
        new Promise<string>((resolve) => {
          dialog.showMessageBoxSync = (...asked: unknown[]) => {
            const { message, buttons } = asked.at(-1) as Electron.MessageBoxSyncOptions;
            resolve(message);
            return buttons?.indexOf(wanted) ?? -1;
          };
          BrowserWindow.getAllWindows()
            .find((window) => window.isVisible())
            ?.close();
        }),
      answer,
    );
  expect(await close('Stay')).toContain('would be lost');
  await expect(page).toHaveTitle(/Kept nowhere/);
  const closed = page.waitForEvent('close');
  expect(await close('Lose them')).toContain('would be lost');
  await closed;
});

/** The GPU windows that are killed; a software GPU takes long to be opened, and longer on a busy machine. */
const kills = Number(process.env['KILLS'] ?? 1);

test('fits outlive the GPU window, killed again and again', async ({ place }) => {
  test.setTimeout((1 + kills) * 180_000);
  const { page, electron } = await place.open(place.model, { COTANGENT_DEVICE: 'webgpu' });
  const outcome = page.getByRole('status', { name: 'Outcome of the fit' });
  const fit = page.getByRole('button', { name: 'Fit', exact: true });
  const gpuProcess = () =>
    electron?.evaluate(({ webContents }) => {
      const gpu = webContents.getAllWebContents().find((contents) => contents.getURL().endsWith('/gpu.html'));
      return gpu && !gpu.isCrashed() ? gpu.getOSProcessId() : 0;
    });
  const fitFile = place.model.replace('.cot.json', '.fit.json');
  for (let kill = 0; kill < kills; kill++) {
    await expect.poll(gpuProcess).toBeGreaterThan(0);
    const pid = await gpuProcess();
    await fit.click();
    // Before the fit has begun, while it compiles its kernels, or while it runs: whenever this comes.
    await electron?.evaluate((_, id) => process.kill(id, 'SIGKILL'), pid!);
    await expect(page.getByRole('alert').filter({ hasText: 'GPU' }).first()).toBeVisible();
    await expect(outcome).toHaveText(/^\s*Converged/, { timeout: 600_000 });
    rmSync(fitFile, { force: true });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => existsSync(fitFile)).toBe(true);
    const { estimates } = JSON.parse(readFileSync(fitFile, 'utf8')) as FitReport;
    expect(estimates[0]?.value).toBeCloseTo(238.94212918, 5);
  }
});

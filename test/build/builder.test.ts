import { afterEach, describe, expect, it, vi } from 'vitest';

const configuration = '../../build/builder.config.mjs';

interface Fuses {
  electronFuses: Record<string, boolean>;
}

async function fuses(testBuild: string | undefined): Promise<Record<string, boolean>> {
  vi.resetModules();
  vi.stubEnv('COTANGENT_TEST_BUILD', testBuild);
  vi.stubEnv('ELECTRON_DIST', undefined);
  const { default: built } = (await import(configuration)) as { default: Fuses };
  return built.electronFuses;
}

afterEach(() => vi.unstubAllEnvs());

describe('the package', () => {
  it('is released with every fuse set', async () => {
    expect(await fuses(undefined)).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('is tested with one fuse left, by which the test attaches', async () => {
    expect(await fuses('1')).toEqual({ ...(await fuses(undefined)), enableNodeCliInspectArguments: true });
  });
});

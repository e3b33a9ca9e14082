/** Python with JAX, where there is one: `PYTHON` says which, `python3` otherwise. */
import { spawnSync } from 'node:child_process';

const python = process.env['PYTHON'] ?? 'python3';

export function pythonRuns(code: string): boolean {
  return spawnSync(python, ['-c', code], { stdio: 'ignore' }).status === 0;
}

/** What a script prints. */
export function runPython(source: string): string {
  const { status, stdout, stderr } = spawnSync(python, ['-'], {
    input: source,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, JAX_PLATFORMS: 'cpu' },
  });
  if (status !== 0) throw new Error(`Python ended with ${status}: ${stderr.slice(-4000)}`);
  return stdout;
}

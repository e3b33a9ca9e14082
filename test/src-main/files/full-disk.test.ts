/**
 * Real disks that are full, in a mount namespace of their own: tmpfs where the system lets this user mount one, ext4 in an
 * image where it is root. What is left out is named by the tests that are skipped.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const model = join(root, 'models/catalogue/misra1a.cot.json');

let folder = '';
let script = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-full-'));
  mkdirSync(join(folder, 'disk'));
  script = join(folder, 'fill.mjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, '../../support/files/fill-disk.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const namespace = process.getuid?.() === 0 ? ['-m'] : ['-Urm'];
const within = (commands: string) => spawnSync('unshare', [...namespace, 'sh', '-ec', commands], { encoding: 'utf8' });

const mounts = {
  tmpfs: (disk: string) => `mount -t tmpfs -o size=512k tmpfs ${disk}`,
  ext4: (disk: string, image: string) =>
    `dd if=/dev/zero of=${image} bs=1k count=1024 2>/dev/null; mkfs.ext4 -q -O ^has_journal ${image}; mount -o loop ${image} ${disk}`,
};

function canMount(kind: keyof typeof mounts): boolean {
  if (process.platform !== 'linux') return false;
  const place = mkdtempSync(join(tmpdir(), 'cotangent-mount-'));
  try {
    mkdirSync(join(place, 'disk'));
    return within(mounts[kind](join(place, 'disk'), join(place, 'image'))).status === 0;
  } finally {
    rmSync(place, { recursive: true });
  }
}

interface Try {
  readonly what: string;
  readonly outcome: 'written' | 'refused';
  readonly message: string;
  /** What is there afterwards: the whole of what was there before, of what is new, or neither. */
  readonly found: 'old' | 'new' | 'document alone' | 'torn';
  readonly unfinished: number;
}

const alone = /^The document was written, and (the fit|what studies found) beside it was not: /;

describe.each(['tmpfs', 'ext4'] as const)('on a full %s', (kind) => {
  it.skipIf(!canMount(kind))('nothing is lost or torn, and no success is reported that is none', () => {
    const disk = join(folder, 'disk');
    const { stdout, stderr, status } = within(
      `${mounts[kind](disk, join(folder, 'image'))}; '${process.execPath}' ${script} ${disk}`,
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const tries = JSON.parse(stdout) as Try[];
    for (const { what, outcome, message, found, unfinished } of tries) {
      expect({ what, found, unfinished }).toEqual({
        what,
        found: outcome === 'written' ? 'new' : alone.test(message) ? 'document alone' : 'old',
        unfinished: 0,
      });
      if (outcome === 'refused')
        expect(message).toMatch(/^[^\n]+ cannot be written, because the disk is full: [^\n]+\.$/);
    }
    // The sizes lie around what is free: both happen often.
    for (const outcome of ['written', 'refused'])
      expect(tries.filter((one) => one.outcome === outcome).length).toBeGreaterThan(30);
  });
});

const remedy = 'make room on it or choose another place';

// One block: the system takes a part of the text, and Node takes that for all of it.
it.skipIf(!canMount('tmpfs'))('a command of which a part fits says so', () => {
  const disk = join(folder, 'disk');
  const command = `'${process.execPath}' ${join(root, 'build/cotangent.mjs')} export ${model} --to wgsl`;
  const run = (target: string) =>
    within(`mount -t tmpfs -o size=4k tmpfs ${disk}; ${command} ${target}; ls -A ${disk}`);
  const { status, stderr } = run(`> ${disk}/out`);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `cotangent: Standard output cannot be written, because the disk is full: ${remedy}.\n`,
  });
  expect(run(`--out ${disk}/out`)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: `cotangent: ${disk}/out cannot be written, because the disk is full: ${remedy}.\n`,
  });
});

it.skipIf(!canMount('tmpfs'))('an ensemble that finds no room leaves nothing, and is prepared once there is', () => {
  const disk = join(folder, 'disk');
  const prepare = `'${process.execPath}' ${join(root, 'build/cotangent.mjs')} ensemble prepare ${model} --study sobol`;
  const run = (out: string) =>
    within(
      `mount -t tmpfs -o size=16k tmpfs ${disk}; mkdir ${disk}/empty; head -c 8k /dev/zero > ${disk}/large;
       ${prepare} --out ${out} || echo $?; ls -A ${disk} ${disk}/empty; rm ${disk}/large;
       mount -o remount,size=1m ${disk}; ${prepare} --out ${out}`,
    );
  for (const out of [`${disk}/new`, `${disk}/empty`]) {
    const { stdout, stderr, status } = run(out);
    expect(stderr).toMatch(/^cotangent: [^\n]+ because the disk is full: [^\n]+\n$/);
    const [code, ...listed] = stdout.trimEnd().split('\n');
    expect({ status, code, listed: listed.slice(0, -1) }).toEqual({
      ...{ status: 0, code: '2' },
      listed: [`${disk}:`, 'empty', 'large', '', `${disk}/empty:`],
    });
    expect(listed.at(-1)).toContain(`submit ${out}/job.sh`);
  }
});

it.skipIf(process.platform !== 'linux')('a command whose output does not fit says so', () => {
  const command = `'${process.execPath}' ${join(root, 'build/cotangent.mjs')} check ${model} --json > /dev/full`;
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  expect(stderr).toBe(`cotangent: Standard output cannot be written, because the disk is full: ${remedy}.\n`);
  expect(status).toBe(2);
});

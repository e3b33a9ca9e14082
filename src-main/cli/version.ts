import { CommanderError } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { places, projectFolder } from './places.ts';

/** As with --version, nothing else is done. */
export function printLicences(): never {
  process.stdout.write(readFileSync(places.licences, 'utf8'));
  throw new CommanderError(0, 'cotangent.licenses', '');
}

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

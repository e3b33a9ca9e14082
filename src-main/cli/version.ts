import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './places.ts';

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

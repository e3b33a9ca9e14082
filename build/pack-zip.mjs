#!/usr/bin/env node
/**
 * Makes a zip of a folder in place of 7-Zip, which electron-builder would download: takes the arguments that it gives 7-Zip for
 * that, and refuses all else. The same files, of the same times, are the same zip.
 *
 *     ELECTRON_BUILDER_7ZIP_PATH=build/pack-zip.mjs electron-builder --linux zip
 */
import { closeSync, lstatSync, openSync, readFileSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

const [verb, ...rest] = process.argv.slice(2);
const [out, from] = rest.filter((arg) => !arg.startsWith('-'));
if (verb !== 'a' || !out?.endsWith('.zip') || from === undefined)
  throw new Error(
    'pack-zip makes a zip of a folder, and nothing else: install 7-Zip (Debian: p7zip-full) for the rest.',
  );
// -mx=0 stores, -mx=9 is slowest.
const level = Number(/^-mx=(\d)$/.exec(rest.find((arg) => arg.startsWith('-mx=')) ?? '')?.[1] ?? 6);
const latest = process.env.SOURCE_DATE_EPOCH ? Number(process.env.SOURCE_DATE_EPOCH) * 1000 : Infinity;

const made = openSync(out, 'w');
const zip = new Zip((error, piece) => {
  if (error) throw error;
  for (let at = 0; at < piece.length;) at += writeSync(made, piece, at);
});

/** Ids of systems in a zip: the attributes are Unix's, of which the upper half is the mode. */
const unix = 3;

function add(path, name) {
  const { mode, mtimeMs } = lstatSync(path);
  const kind = mode & 0o170000;
  const described = { os: unix, attrs: (mode << 16) >>> 0, mtime: Math.min(mtimeMs, latest) };
  const put = (entry, content) => {
    zip.add(Object.assign(entry, described));
    entry.push(content, true);
  };
  if (kind === 0o040000) {
    if (name !== '') put(new ZipPassThrough(`${name}/`), new Uint8Array(0));
    for (const child of readdirSync(path).sort()) add(join(path, child), name === '' ? child : `${name}/${child}`);
  } else if (kind === 0o120000) put(new ZipPassThrough(name), Buffer.from(readlinkSync(path)));
  else put(level === 0 ? new ZipPassThrough(name) : new ZipDeflate(name, { level }), readFileSync(path));
}

add(from, from === '.' ? '' : from);
zip.end();
closeSync(made);

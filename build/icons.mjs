/**
 * The icon in every size that a system asks for, from build/resources/icon.svg by rsvg-convert (Debian: librsvg2-bin):
 * PNGs for Linux, an ICO for Windows, an ICNS for macOS. Both are containers of PNGs.
 *
 *     node build/icons.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const resources = join(root, 'build', 'resources');
const sizes = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024];
const ofIco = [16, 24, 32, 48, 64, 128, 256];
/** Apple's names of PNGs by their pixels. */
const ofIcns = {
  ic04: 16,
  ic05: 32,
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
};

const file = (size) => join(resources, 'icons', `${size}x${size}.png`);
mkdirSync(join(resources, 'icons'), { recursive: true });
for (const size of sizes)
  execFileSync('rsvg-convert', ['-w', size, '-h', size, '-o', file(size), join(resources, 'icon.svg')]);

/** A directory of entries, then their PNGs. */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  pictures.forEach(({ size, png }, i) => {
    const entry = 6 + 16 * i;
    // 256 is written as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  });
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

function chunk(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}

const png = (size) => readFileSync(file(size));
writeFileSync(join(resources, 'icon.ico'), ico(ofIco.map((size) => ({ size, png: png(size) }))));
const pictures = Object.entries(ofIcns).map(([name, size]) => chunk(name, png(size)));
writeFileSync(join(resources, 'icon.icns'), chunk('icns', Buffer.concat(pictures)));

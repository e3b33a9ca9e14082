/** The built renderer's files, read from one folder and from nowhere else. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

export interface StaticFile {
  readonly content: Buffer<ArrayBuffer>;
  readonly contentType: string;
}

/** The file that a URL's path names; null where there is none, the path leaves the folder, or its type is not one that we serve. */
export async function readStaticFile(folder: string, urlPath: string): Promise<StaticFile | null> {
  let path: string;
  try {
    path = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (path.includes('\0') || path.includes('\\')) return null;
  const file = normalize(join(folder, path === '/' ? 'index.html' : path));
  const contentType = contentTypes[extname(file)];
  if (!file.startsWith(folder + sep) || contentType === undefined) return null;
  try {
    return { content: await readFile(file), contentType };
  } catch {
    return null;
  }
}

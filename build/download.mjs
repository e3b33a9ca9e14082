/**
 * One large file over a line that may be slow or break: what has come is kept beside it and goes on from there, now and at
 * the next start. However long it takes, only silence is too long. Plain Node, since it runs before there is anything else.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const silenceMilliseconds = 60_000;
const usualTries = 5;
const waitMilliseconds = 2000;

/** It cannot be had at all: asking again changes nothing. */
class Refused extends Error {}

const sizeOf = (path) => (existsSync(path) ? statSync(path).size : 0);

async function sha256(path) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** Asks for what is missing of `part`, and adds it as it comes. */
async function more({ url, part, silence, onProgress }) {
  const controller = new AbortController();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(new Error(`nothing came for ${silence / 1000} seconds`)), silence);
  };
  heard();
  try {
    const have = sizeOf(part);
    const headers = have > 0 ? { Range: `bytes=${have}-` } : {};
    const response = await fetch(url, { headers, signal: controller.signal });
    if (response.status === 416) {
      rmSync(part, { force: true });
      throw new Error('what had come before was of no use');
    }
    if (!response.ok) throw new Refused(`${new URL(url).host} answered ${response.status}`);
    // A server that knows no ranges sends it all again.
    const from = response.status === 206 ? have : 0;
    const length = Number(response.headers.get('content-length') ?? NaN);
    let come = from;
    const body = Readable.fromWeb(response.body);
    body.on('data', (chunk) => {
      heard();
      come += chunk.length;
      onProgress(come, from + length);
    });
    const output = createWriteStream(part, { flags: from > 0 ? 'a' : 'w' });
    const closed = new Promise((resolve) => output.once('close', resolve));
    try {
      await pipeline(body, output, { signal: controller.signal });
    } finally {
      // What is being written as the line breaks is there a moment later: what is missing is not known before.
      await closed;
    }
    if (come < from + length) throw new Error('the line broke');
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** In words, whatever fetch has wrapped it in. */
export function whyNot(error, url) {
  const code = error.cause?.code ?? error.code ?? '';
  const { host } = new URL(url);
  if (['ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'].includes(code))
    return `there is no way to ${host} from here`;
  if (['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'].includes(code))
    return `${host} does not answer`;
  if (code === 'ENOSPC') return 'the disk is full';
  return error.cause?.message ?? error.message;
}

/** Where a release of Electron lies, by the variables that @electron/get reads and by its rules: the mirror is in front of `v1.2.3/`. */
export function electronUrl(version, name, env) {
  const said = (what) =>
    env[`npm_config_electron_${what}`] ||
    env[`NPM_CONFIG_ELECTRON_${what.toUpperCase()}`] ||
    env[`ELECTRON_${what.toUpperCase()}`];
  const mirror = said('mirror') || 'https://github.com/electron/electron/releases/download/';
  const folder = (said('custom_dir') || `v${version}`).replace('{{ version }}', version);
  return `${mirror}${folder}/${name}`;
}

/**
 * Resolves once `file` is there, whole and with this hash. What has come when it fails stays for the next time.
 * `onProgress` hears of bytes, and of how many there will be (NaN where nobody says).
 */
export async function download({
  url,
  file,
  sha256: wanted,
  onProgress = () => undefined,
  silence = silenceMilliseconds,
  wait = waitMilliseconds,
  mostTries = usualTries,
}) {
  const part = `${file}.part`;
  // Tries in a row that brought nothing.
  for (let tries = 1; ; tries++) {
    const before = sizeOf(part);
    try {
      await more({ url, part, silence, onProgress });
      break;
    } catch (error) {
      if (error instanceof Refused || error.cause?.code === 'ENOTFOUND') throw error;
      // A line that breaks often and gets on all the same is not given up.
      if (sizeOf(part) > before) tries = 0;
      if (tries >= mostTries) throw error;
      await new Promise((next) => setTimeout(next, wait));
    }
  }
  if ((await sha256(part)) !== wanted) {
    rmSync(part);
    throw new Error('what came is not what was asked for: its hash is another');
  }
  renameSync(part, file);
}

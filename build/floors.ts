/**
 * The house's floors: what may import what. Paths are relative to the project's root, with `/` between folders.
 *
 * - engine/: a numbered folder imports from itself and from lower numbers, but backends import no rules.
 * - Outside, `engine/index.ts` is the engine's only door, and models/ and src-main/benchmark/ import nothing but it.
 * - src-main/ imports engine and models; src-renderer/ sees of them types and formulas alone, and of src-main/ what
 *   defines the connection. Its hidden window's page is what runs plans, and alone goes through the engine's door.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';

export interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

export interface Breach extends Import {
  readonly why: string;
}

const houses = ['engine', 'models', 'src-main', 'src-renderer'] as const;

/** The suites that are timed: the engine alone, without hosts and documents, but for the one that times edits of those. */
const suites = 'src-main/benchmark/';
const edits = `${suites}edits/`;

/** What the window may take from src-main/: the contract, what is told by it, and how messages travel. */
const connection = 'src-main/contract/';

/** The page of the desktop's hidden window. */
const gpuPage = 'src-renderer/gpu.ts';

const statement =
  /^\s*(?:import|export)\s+(?<type>type\s)?(?:[^'";]*?\sfrom\s+)?'(?<path>[^']+)'|import\(\s*'(?<lazy>[^']+)'\s*\)/gm;

/** The relative imports of one source, resolved; packages are none of the floors' business. */
export function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(statement)].flatMap(({ groups }) => {
    const path = groups?.['path'] ?? groups?.['lazy'];
    if (!path?.startsWith('.')) return [];
    const to = normalize(join(dirname(file), path.replace(/\?.*$/, '')))
      .split(sep)
      .join('/');
    return [{ from: file, to, typeOnly: groups?.['type'] !== undefined }];
  });
}

/** The number of a file's floor in engine/; index.ts stands above all. */
function floor(file: string): number {
  return Number(/^engine\/(\d+)-/.exec(file)?.[1] ?? Infinity);
}

/** Floors of which the one must not know the other, though it lies below. */
const [rules, backends] = [2, 4];

function why({ from, to, typeOnly }: Import): string | null {
  const [house, target] = [from, to].map((path) => path.split('/')[0]);
  if (house === 'engine') {
    if (target !== 'engine') return 'the engine knows nothing outside itself';
    if (floor(to) > floor(from)) return 'imports go down, never up';
    if (floor(from) === backends && floor(to) === rules)
      return 'a backend knows operators, and no rule that makes them';
    return null;
  }
  if (target === 'engine' && house !== 'src-renderer') {
    return to === 'engine/index.ts' ? null : 'engine/index.ts is the only door to the engine';
  }
  if (house === 'models') return target === house ? null : 'models knows the engine alone';
  if (from.startsWith(suites) && !from.startsWith(edits))
    return to.startsWith(suites) ? null : 'what is timed is the engine alone';
  if (house === 'src-main') return target === 'src-renderer' ? 'hosts know nothing of the window' : null;
  if (target === 'src-renderer' || to.startsWith(connection) || to.startsWith('models/formula/')) return null;
  if (typeOnly && (to.startsWith('models/format/') || to === 'engine/index.ts')) return null;
  if (from === gpuPage && to === 'engine/index.ts') return null;
  return 'the window knows the contract, formulas, and the types of the format';
}

export function breachesAmong(imports: readonly Import[]): Breach[] {
  return imports.flatMap((entry) => {
    const reason = why(entry);
    return reason === null ? [] : [{ ...entry, why: reason }];
  });
}

function sourcesIn(root: string): string[] {
  return houses.flatMap((house) =>
    readdirSync(join(root, house), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

/** Every import in the project that breaks the rules. */
export function findBreaches(root: string): Breach[] {
  return breachesAmong(sourcesIn(root).flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8'))));
}

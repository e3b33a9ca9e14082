/**
 * The house's floors: what may import what. Paths are relative to the project's root, with `/` between folders.
 *
 * - engine/: a numbered folder imports from itself and from lower numbers, but backends import no rules.
 * - Outside, `engine/index.ts` is the engine's only door, and models/ and src-main/benchmark/ import nothing but it.
 * - src-main/ imports engine and models; src-renderer/ sees of them types, notation, facts and formulas alone, and of src-main/ what
 *   defines the connection. Its hidden window's page is what runs plans, and alone goes through the engine's door.
 * - models/, src-main/, the window and its state have floors of their own, in the lists below.
 * - The CPU and the WebGPU backend do not know each other.
 * - Nowhere do imports run in a circle, neither of files nor of folders (`findCircles`).
 * - No folder is crowded (`crowdedFolders`).
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

/**
 * Rooms of a house from the lowest floor to the highest; those on one floor do not know each other. A file that stands
 * beside the rooms is held by circles alone.
 */
export const rooms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  models: [
    ['notation', 'facts'],
    ['formula', 'supports'],
    ['objective'],
    ['units', 'operators'],
    ['tables'],
    ['blocks'],
    ['format'],
    ['graph', 'sbml'],
    ['load', 'petab'],
    ['lower', 'plots', 'library'],
    ['experiment'],
  ],
  'src-main': [
    ['contract'],
    ['preload', 'files'],
    ['compute', 'serve'],
    ['benchmark', 'export'],
    ['engine-process'],
    ['cli', 'desktop'],
  ],
  'src-main/compute': [['running'], ['derivatives'], ['fit'], ['study', 'plots']],
  'src-renderer': [['state'], ['parts'], ['views']],
  'src-renderer/state': [['words', 'window'], ['document'], ['adjoints', 'fit', 'import'], ['study'], ['canvas']],
};

const houses = ['engine', 'models', 'src-main', 'src-renderer'] as const;

/** The suites that are timed: the engine alone, without hosts and documents, but for those that time work on documents. */
const suites = 'src-main/benchmark/';
const ofDocuments = [`${suites}edits/`, `${suites}sliders/`];

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

/** A room of the floor above that is taken from, or of the same. */
function climbs(from: string, to: string): string | undefined {
  for (const [house, floors] of Object.entries(rooms)) {
    if (!from.startsWith(`${house}/`) || !to.startsWith(`${house}/`)) continue;
    const [room, target] = [from, to].map((path) => path.slice(house.length + 1).split('/')[0]!);
    const [here, there] = [room, target].map((name) => floors.findIndex((floor) => floor.includes(name!)));
    if (room !== target && here! >= 0 && there! >= here!)
      return `${house}/${target} does not lie below ${house}/${room}`;
  }
  return undefined;
}

/** Two implementations of the same plans. */
const [cpu, webgpu] = ['engine/4-backends/cpu/', 'engine/4-backends/webgpu/'];

function why({ from, to, typeOnly }: Import): string | null {
  const climbed = climbs(from, to);
  if (climbed !== undefined) return climbed;
  const [house, target] = [from, to].map((path) => path.split('/')[0]);
  if (house === 'engine') {
    if (target !== 'engine') return 'the engine knows nothing outside itself';
    if (floor(to) > floor(from)) return 'imports go down, never up';
    if (floor(from) === backends && floor(to) === rules)
      return 'a backend knows operators, and no rule that makes them';
    if ((from.startsWith(cpu) && to.startsWith(webgpu)) || (from.startsWith(webgpu) && to.startsWith(cpu)))
      return 'one backend does not know the other';
    return null;
  }
  if (target === 'engine' && house !== 'src-renderer') {
    return to === 'engine/index.ts' ? null : 'engine/index.ts is the only door to the engine';
  }
  if (house === 'models') return target === house ? null : 'models knows the engine alone';
  if (from.startsWith(suites) && !ofDocuments.some((suite) => from.startsWith(suite)))
    return to.startsWith(suites) ? null : 'what is timed is the engine alone';
  if (house === 'src-main') return target === 'src-renderer' ? 'hosts know nothing of the window' : null;
  if (
    target === 'src-renderer' ||
    to.startsWith(connection) ||
    to.startsWith('models/notation/') ||
    to.startsWith('models/formula/') ||
    to.startsWith('models/facts/')
  )
    return null;
  if (typeOnly && (to.startsWith('models/format/') || to === 'engine/index.ts')) return null;
  if (from === gpuPage && to === 'engine/index.ts') return null;
  return 'the window knows the contract, notation, formulas, and the types of the format';
}

export function breachesAmong(imports: readonly Import[]): Breach[] {
  return imports.flatMap((entry) => {
    const reason = why(entry);
    return reason === null ? [] : [{ ...entry, why: reason }];
  });
}

export function sourcesIn(root: string): string[] {
  return houses.flatMap((house) =>
    readdirSync(join(root, house), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  );
}

/** Every import of the project. */
export function allImports(root: string): Import[] {
  return sourcesIn(root).flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
}

/** Every import in the project that breaks the rules. */
export function findBreaches(root: string): Breach[] {
  return breachesAmong(allImports(root));
}

/** What a reader sees of a folder at once. */
const mostFiles = 30;

/** Folders that hold more source files than a reader finds his way in; the catalogue's documents are no sources. */
export function crowdedFolders(files: readonly string[]): string[] {
  const held = new Map<string, number>();
  for (const file of files) held.set(dirname(file), (held.get(dirname(file)) ?? 0) + 1);
  return [...held].filter(([, count]) => count > mostFiles).map(([folder, count]) => `${folder} holds ${count}`);
}

/**
 * Names that import one another in a circle, folder by folder: in each, the files and folders that it holds, with what
 * anything in them imports. So two folders are in a circle although no two of their files are.
 */
export function findCircles(imports: readonly Import[]): string[][] {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of imports) {
    const [source, target] = [from.split('/'), to.split('/')];
    const depth = source.findIndex((name, at) => name !== target[at]);
    if (depth < 0) continue;
    const folder = source.slice(0, depth).join('/');
    const graph = folders.get(folder) ?? new Map<string, Set<string>>();
    folders.set(folder, graph);
    const [name, other] = [source[depth]!, target[depth]!];
    graph.set(name, (graph.get(name) ?? new Set()).add(other));
  }
  return [...folders].flatMap(([folder, graph]) =>
    [...graph.keys()].flatMap((name) => {
      const circle = wayBack(graph, name);
      // Told once, by the name that comes first.
      return circle && circle.every((other) => name <= other) ? [circle.map((each) => join(folder, each))] : [];
    }),
  );
}

/** The shortest way from a name to itself. */
function wayBack(graph: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const name of queue)
    for (const next of graph.get(name) ?? []) {
      if (next === start) {
        const way = [name];
        while (way[0] !== start) way.unshift(cameFrom.get(way[0]!)!);
        return way;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      queue.push(next);
    }
  return undefined;
}

/** From text or JSON to a document whose every block has the form of its kind. What blocks mean together is checked by models/load. */
import * as v from 'valibot';
import type { Block } from '../blocks/block.ts';
import { blockKindNames, blockKinds, isBlockKind } from '../blocks/index.ts';
import { isReservedName } from '../formula/names.ts';
import { envelope, formatVersion, type Document } from './document.ts';
import { isRecord } from '../notation/fields.ts';
import type { FurtherNames } from './further-names.ts';
import { issueProblems, show } from './issues.ts';
import { JsonError, parseJson, setOwn } from '../notation/json.ts';
import { didYouMean, isIdentifier } from '../notation/names.ts';
import { errorProblem, hasErrors, type Problem } from '../notation/problem.ts';
import { columnsEntry, fileEntry, type TableEntry } from '../notation/table-entry.ts';

export type ParseResult = { readonly document: Document } | { readonly problems: readonly Problem[] };

/** A document, or everything that keeps the text from being one. */
export function parseDocument(text: string): ParseResult {
  try {
    return readDocument(parseJson(text));
  } catch (error) {
    if (error instanceof JsonError) return { problems: [errorProblem(`the document is no JSON: ${error.message}`)] };
    throw error;
  }
}

/** As `parseDocument`, for JSON that has been parsed already. */
export function readDocument(json: unknown): ParseResult {
  const { document, problems } = readLeniently(json);
  return document && !hasErrors(problems) ? { document } : { problems };
}

export interface LenientResult {
  /** With the blocks that have the form of their kind alone; undefined where there is no document to speak of. */
  readonly document: Document | undefined;
  readonly problems: readonly Problem[];
  /** Ids of the blocks left out, of which nothing more is to be said. */
  readonly broken: ReadonlySet<string>;
}

/** What no document is for this version, whatever else is in it; undefined of those that are, with their faults. */
export function formatFault(json: Readonly<Record<string, unknown>>): string | undefined {
  const version = json['format'];
  if (version === formatVersion) return undefined;
  return Object.hasOwn(json, 'format')
    ? `the format is ${show(version)}, and this version reads "${formatVersion}"`
    : `"format" is missing: a document begins with "format": "${formatVersion}"`;
}

/** For an editor, in which one block at fault must not hide what is known of the others. */
export function readLeniently(json: unknown): LenientResult {
  const problems: Problem[] = [];
  const broken = new Set<string>();
  if (!isRecord(json))
    return { document: undefined, problems: [errorProblem(`a document is a JSON object, got ${show(json)}`)], broken };
  const fault = formatFault(json);
  if (fault !== undefined) {
    const details = { port: 'format', wanted: formatVersion, got: show(json['format']) };
    return { document: undefined, problems: [errorProblem(fault, details)], broken };
  }
  const result = v.safeParse(envelope, json);
  problems.push(...issueProblems(result.issues ?? [], 'the document', undefined));
  const tables = readTableEntries(json['tables'], problems);
  const blocks = Array.isArray(json['blocks']) ? readBlocks(json['blocks'], '', new Set(), problems, broken) : [];
  if (!result.success) return { document: undefined, problems, broken };
  problems.push(...hidingProblems(result.output.names ?? {}, blocks));
  return { document: { ...result.output, ...(tables && { tables }), blocks } as Document, problems, broken };
}

/**
 * A name of another format that is the id of a block, and stands for something else: one of the two would be hidden. A range is
 * no value of the file that the names are of, and gives way.
 */
function hidingProblems(names: FurtherNames, blocks: readonly Block[]): Problem[] {
  const ids = new Set(blocks.flatMap(({ id, kind }) => (kind === 'range' ? [] : [id])));
  return Object.entries(names).flatMap(([name, found]) => {
    if (!ids.has(name) || (typeof found === 'string' && found.split('.')[0] === name)) return [];
    const other = typeof found === 'string' ? `for "${found}"` : 'for a formula';
    return [
      errorProblem(`"names": "${name}" stands ${other}, and is the id of a block`, {
        port: 'names',
        block: name,
        got: name,
        fix: 'rename one of the two',
      }),
    ];
  });
}

function readTableEntries(json: unknown, problems: Problem[]): Record<string, TableEntry> | undefined {
  if (json === undefined) return undefined;
  const tables: Record<string, TableEntry> = {};
  if (!isRecord(json)) {
    problems.push(errorProblem(`"tables" wants tables by name, got ${show(json)}`, { port: 'tables' }));
    return tables;
  }
  for (const [name, entry] of Object.entries(json)) {
    const schema = isRecord(entry) && Object.hasOwn(entry, 'columns') ? columnsEntry : fileEntry;
    const result = v.safeParse(schema, entry);
    problems.push(...issueProblems(result.issues ?? [], `table ${JSON.stringify(name)}`, undefined));
    // A table may be named `__proto__`.
    if (result.success) setOwn(tables, name, result.output);
  }
  return tables;
}

/** `path` is `g/` inside a group; `taken` are names that are given before any block is. */
function readBlocks(
  list: readonly unknown[],
  path: string,
  taken: Set<string>,
  problems: Problem[],
  broken: Set<string>,
): Block[] {
  const blocks: Block[] = [];
  for (const [i, json] of list.entries()) {
    const id = isRecord(json) ? json['id'] : undefined;
    const fullId = typeof id === 'string' ? `${path}${id}` : undefined;
    const where =
      fullId === undefined ? `block ${i + 1}${path === '' ? '' : ` of ${path.slice(0, -1)}`}` : `block "${fullId}"`;
    const found = [...idProblems(id, where, fullId, taken), ...kindProblems(json, where, fullId)];
    if (typeof id === 'string') taken.add(id);
    if (isRecord(json) && isBlockKind(json['kind'])) {
      const result = v.safeParse(blockKinds[json['kind']].schema, json);
      found.push(...issueProblems(result.issues ?? [], where, fullId).filter((problem) => problem.port !== 'id'));
      if (result.success && found.length === 0) blocks.push(withInner(result.output, path, found, broken));
    }
    problems.push(...found);
    if (found.length > 0 && fullId !== undefined) broken.add(fullId);
  }
  return blocks;
}

function withInner(block: Block, path: string, problems: Problem[], broken: Set<string>): Block {
  if (block.kind !== 'group') return block;
  const ports = Object.keys(block.inputs ?? {});
  const inside = `${path}${block.id}/`;
  const blocks = readBlocks(block.blocks, inside, new Set(ports), problems, broken);
  for (const name of ports.filter(isReservedName))
    problems.push(
      errorProblem(`block "${path}${block.id}": the input "${name}" is reserved in formulas and cannot name a port`, {
        block: `${path}${block.id}`,
        port: name,
        fix: `call it ${name}_1`,
      }),
    );
  for (const name of [...ports, ...Object.keys(block.outputs)])
    if (!isIdentifier(name))
      problems.push(
        errorProblem(`block "${path}${block.id}": ${show(name)} is no name of letters, digits and _`, {
          block: `${path}${block.id}`,
        }),
      );
  return { ...block, blocks };
}

function idProblems(id: unknown, where: string, block: string | undefined, taken: ReadonlySet<string>): Problem[] {
  if (typeof id !== 'string') return [errorProblem(`${where}: "id" wants a name, got ${show(id)}`, { port: 'id' })];
  const details = { block, port: 'id', got: id };
  if (!isIdentifier(id))
    return [errorProblem(`${where}: an id is made of letters, digits and _, and begins with no digit`, details)];
  if (isReservedName(id))
    return [
      errorProblem(`${where}: "${id}" is reserved in formulas and cannot be an id`, {
        ...details,
        fix: `call it ${id}_1`,
      }),
    ];
  if (taken.has(id))
    return [errorProblem(`${where}: the id "${id}" is given twice`, { ...details, fix: 'rename one of the two' })];
  return [];
}

function kindProblems(json: unknown, where: string, block: string | undefined): Problem[] {
  if (!isRecord(json)) return [errorProblem(`${where} wants an object, got ${show(json)}`)];
  const kind = json['kind'];
  if (isBlockKind(kind)) return [];
  if (typeof kind !== 'string')
    return [
      errorProblem(
        `${where}: "kind" ${kind === undefined ? 'is missing' : `wants a kind of block, got ${show(kind)}`}`,
        { block, port: 'kind' },
      ),
    ];
  const fix = didYouMean(kind, blockKindNames);
  return [
    errorProblem(`${where}: there is no kind of block ${show(kind)}`, {
      block,
      port: 'kind',
      got: kind,
      ...(fix && { fix }),
    }),
  ];
}

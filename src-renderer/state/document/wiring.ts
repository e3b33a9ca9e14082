/**
 * Where a wire is written in a block. A formula's port takes the block of its own name unless `inputs` says otherwise;
 * every other port is a key of the block (`prediction`), or an element of a list key (`values.1`).
 */
import { readsNames } from '../../../models/facts/kinds.ts';
import type { BlockDraft } from './draft.ts';
import { isRecord, own, withEntry } from './draft.ts';
import { renameInFormula } from './identifiers.ts';

/** `values.1` or `values[1]`: the key and the position in its list. */
function listPort(port: string): { key: string; index: number } | undefined {
  const match = /^([A-Za-z_]\w*)[.[](\d+)\]?$/.exec(port);
  return match ? { key: match[1]!, index: Number(match[2]) } : undefined;
}

/** The block of a reference `id` or `id.output`. */
export function blockOfReference(reference: string): string {
  const dot = reference.indexOf('.');
  return dot < 0 ? reference : reference.slice(0, dot);
}

/** The block with `port` fed from `source`; null takes the wire away. */
export function withSource(block: BlockDraft, port: string, source: string | null): BlockDraft {
  if (block.kind === 'group') return { ...block, inputs: withEntry(block['inputs'], port, source ?? '') };
  if (readsNames(block.kind)) return withFormulaSource(block, port, source);
  const list = listPort(port);
  if (list) return { ...block, [list.key]: withElement(block[list.key], list.index, source) };
  const present = block[port];
  if (Array.isArray(present)) return { ...block, [port]: withElement(present, 0, source) };
  if (source !== null) return { ...block, [port]: source };
  const { [port]: _gone, ...rest } = block;
  return rest as BlockDraft;
}

function withElement(list: unknown, index: number, source: string | null): unknown[] {
  const items: unknown[] = Array.isArray(list) ? [...(list as unknown[])] : list === undefined ? [] : [list];
  if (source === null) items.splice(index, 1);
  else items[Math.min(index, items.length)] = source;
  return items;
}

function withFormulaSource(block: BlockDraft, port: string, source: string | null): BlockDraft {
  const stepped = own(block['inputs'], port) !== undefined;
  const key = block.kind === 'solve' ? 'unknown' : 'state';
  const state = own(block[key], port);
  if (isRecord(state) && typeof state['initial'] === 'string' && !stepped) {
    return { ...block, [key]: withEntry(block[key], port, { ...state, initial: source ?? 0 }) };
  }
  if (block.kind === 'map' || block.kind === 'quantity' || stepped) {
    if (source === null) return { ...block, inputs: withEntry(block['inputs'], port, '') };
    const inputs = withEntry(block['inputs'], port, source === port && !stepped ? undefined : source);
    if (Object.keys(inputs).length > 0) return { ...block, inputs };
    const { inputs: _gone, ...rest } = block;
    return rest;
  }
  // A name in `next` or `where` has no entry in `inputs`: another source means another name in the formula.
  return source === null ? block : mapFormulas(block, (formula) => renameInFormula(formula, port, source));
}

/** The block with every formula that it holds changed. */
export function mapFormulas(block: BlockDraft, change: (formula: string) => string): BlockDraft {
  const changed = (value: unknown) => (typeof value === 'string' ? change(value) : value);
  const withFormula = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
    key in value ? { ...value, [key]: changed(value[key]) } : value;
  const inRecord = (record: unknown, key?: string): unknown =>
    isRecord(record)
      ? Object.fromEntries(
          Object.entries(record).map(([name, value]) => [
            name,
            key && isRecord(value) ? withFormula(value, key) : changed(value),
          ]),
        )
      : record;
  /** An event that a condition brings about; a dose has references alone. */
  const withTrigger = (event: Readonly<Record<string, unknown>>): unknown =>
    'when' in event
      ? {
          ...(['when', 'delay', 'priority'].reduce<unknown>(withFormulaAt, event) as object),
          set: inRecord(event['set']),
          ...(isRecord(event['scaled']) && { scaled: inRecord(event['scaled']) }),
        }
      : event;
  const withFormulaAt = (record: unknown, key: string): unknown =>
    isRecord(record) ? withFormula(record, key) : record;
  switch (block.kind) {
    case 'map':
    case 'quantity':
      return {
        ...block,
        ...('formula' in block ? { formula: changed(block['formula']) } : {}),
        ...('outputs' in block ? { outputs: inRecord(block['outputs']) } : {}),
      };
    case 'recurrence':
      return { ...block, state: inRecord(block['state'], 'next') };
    case 'solve':
      return { ...block, unknown: inRecord(block['unknown'], 'equation') };
    case 'ode':
      return {
        ...block,
        state: ['rate', 'per', 'history'].reduce(inRecord, block['state']),
        ...(isRecord(block['formulas']) ? { formulas: inRecord(block['formulas']) } : {}),
        ...(Array.isArray(block['reactions'])
          ? {
              reactions: block['reactions'].map((each: unknown) => (isRecord(each) ? withFormula(each, 'rate') : each)),
            }
          : {}),
        ...(Array.isArray(block['events'])
          ? { events: block['events'].map((event: unknown) => (isRecord(event) ? withTrigger(event) : event)) }
          : {}),
      };
    case 'filter':
      return { ...block, where: changed(block['where']) };
    default:
      return block;
  }
}

/** Keys whose strings are references, for every kind that is wired by keys. */
const referenceKeys = [
  'like',
  'values',
  'keys',
  'bins',
  'initial',
  'from',
  'indices',
  'into',
  'left',
  'right',
  'x',
  'xs',
  'ys',
  'prediction',
  'observed',
  'sigma',
  'weights',
  'mean',
  'probability',
  'trials',
  'scale',
  'degrees',
  'dispersion',
  'times',
  'shape',
  'steps',
];

/** The block with every reference changed; one that becomes undefined is taken away. */
export function mapReferences(block: BlockDraft, change: (reference: string) => string | undefined): BlockDraft {
  const result: Record<string, unknown> = { ...block };
  for (const key of referenceKeys) {
    const value = block[key];
    if (typeof value === 'string' && !(key === 'scale' && block.kind === 'parameter')) {
      const next = change(value);
      if (next === undefined) delete result[key];
      else result[key] = next;
    } else if (Array.isArray(value) && value.some((item) => typeof item === 'string')) {
      result[key] = value
        .map((item: unknown) => (typeof item === 'string' ? change(item) : item))
        .filter((x) => x !== undefined);
    }
  }
  if (isRecord(block['inputs'])) {
    const entries = Object.entries(block['inputs']).map(([port, value]): [string, unknown] => [
      port,
      typeof value === 'string' ? change(value) : withReferences(value, ['times', 'values'], change),
    ]);
    result['inputs'] = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (Array.isArray(block['events']))
    result['events'] = block['events'].map((event: unknown) => withReferences(event, ['times', 'add'], change));
  for (const key of ['state', 'unknown']) {
    if (!isRecord(block[key])) continue;
    result[key] = Object.fromEntries(
      Object.entries(block[key]).map(([name, state]) => {
        if (!isRecord(state) || typeof state['initial'] !== 'string') return [name, state];
        return [name, { ...state, initial: change(state['initial']) ?? 0 }];
      }),
    );
  }
  return result as BlockDraft;
}

/** An input over time of a differential equation, or an event of it, with its references changed. */
function withReferences(
  record: unknown,
  keys: readonly string[],
  change: (reference: string) => string | undefined,
): unknown {
  return keys.reduce<unknown>((result, key) => {
    const reference = own(result, key);
    return typeof reference === 'string' ? withEntry(result, key, change(reference)) : result;
  }, record);
}

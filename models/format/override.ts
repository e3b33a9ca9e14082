/** `--set id=value`: another start for a parameter, another value for a constant. */
import type { Block, BlockOf } from '../blocks/block.ts';
import type { Document } from './document.ts';
import { standsFor } from './further-names.ts';
import { JsonError, parseJson } from '../notation/json.ts';
import { didYouMean } from '../notation/names.ts';
import { denseNumbers, isDocumentNumber, type Nested } from '../notation/numbers.ts';
import { errorProblem, type Problem } from '../notation/problem.ts';

export interface Override {
  /** `k`, or `g/k` in a group. */
  readonly id: string;
  readonly value: Nested;
}

/** From `k=0.3`, `K=[1, 2]` or `upper=Infinity`. */
export function parseOverride(text: string): Override | Problem {
  const equals = text.indexOf('=');
  const id = text.slice(0, equals).trim();
  const wanted = 'id=value, where the value is a number or an array of numbers';
  if (equals < 1) return errorProblem(`${JSON.stringify(text)} sets nothing: wanted ${wanted}`, { wanted, got: text });
  const source = text.slice(equals + 1).trim();
  const fault = errorProblem(`${JSON.stringify(source)} is no value for "${id}": wanted ${wanted}`, {
    block: id,
    wanted,
    got: source,
  });
  if (isDocumentNumber(source)) return { id, value: source };
  // As people type numbers: `.5`, `+2` and `3.` are none in JSON.
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(source) && Number.isFinite(Number(source)))
    return { id, value: Number(source) };
  try {
    const value = parseJson(source) as Nested;
    const isNumbers = (entry: unknown): boolean =>
      Array.isArray(entry) ? entry.every(isNumbers) : isDocumentNumber(entry);
    if (!isNumbers(value)) return fault;
    const dense = denseNumbers(value);
    return typeof dense === 'string' ? errorProblem(`the value for "${id}" is ${dense}`, { block: id }) : { id, value };
  } catch (error) {
    if (error instanceof JsonError) return fault;
    throw error;
  }
}

/** The document with its values replaced. Whether they fit is for checking to say. */
export function applyOverrides(
  document: Document,
  overrides: readonly Override[],
): { readonly document: Document; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  let blocks = document.blocks;
  for (const override of overrides) {
    const named = standsFor(document, override.id);
    const replaced = replace(blocks, pathOf(override.id, named), override.value);
    if (Array.isArray(replaced)) blocks = replaced;
    else problems.push(refusal(document, override.id, replaced as Block | undefined));
  }
  return { document: { ...document, blocks }, problems };
}

/** The blocks with one changed; the block that cannot be set, or undefined where there is none. */
function replace(
  blocks: readonly Block[],
  [id, ...inner]: readonly string[],
  value: Nested,
): readonly Block[] | Block | undefined {
  const at = blocks.findIndex((block) => block.id === id);
  const block = blocks[at];
  if (!block) return inner.length === 0 ? withDeviation(blocks, id!, value) : undefined;
  let changed: Block;
  if (block.kind === 'group' && inner.length > 0) {
    const replaced = replace(block.blocks, inner, value);
    if (!Array.isArray(replaced)) return replaced;
    changed = { ...block, blocks: replaced };
  } else if (block.kind === 'parameter') changed = { ...block, initial: value };
  else if (block.kind === 'constant') changed = { ...block, value };
  else if (block.kind === 'ode' && inner.length === 1) {
    const started = withInitial(block, inner[0]!, value);
    if (!started) return block;
    changed = started;
  } else return block;
  return blocks.with(at, changed);
}

/** Blocks from without to within, and the state of an ode block that a further name stands for. */
function pathOf(id: string, named: ReturnType<typeof standsFor>): readonly string[] {
  return (typeof named === 'string' ? named.replace('.', '/') : id).split('/');
}

/** Undefined where it has no such state, or one that begins elsewhere. */
function withInitial(block: BlockOf<'ode'>, name: string, initial: Nested): Block | undefined {
  const state = Object.hasOwn(block.state, name) ? block.state[name] : undefined;
  if (!state || !isDocumentNumber(state.initial) || !isDocumentNumber(initial)) return undefined;
  return { ...block, state: { ...block.state, [name]: { ...state, initial } } };
}

/** `u.sd.b0` of a random effect. */
function withDeviation(blocks: readonly Block[], id: string, value: Nested): readonly Block[] | undefined {
  const [, owner, effect] = /^(.+)\.sd\.([^.]+)$/.exec(id) ?? [];
  const at = blocks.findIndex((block) => block.id === owner && block.kind === 'random-effect');
  const block = blocks[at];
  if (block?.kind !== 'random-effect') return undefined;
  const names = block.names ?? ['b'];
  const known = block.sd ?? 1;
  const sd = names.map((name, i) => (name === effect ? value : Array.isArray(known) ? (known[i] as Nested) : known));
  return names.includes(effect!) ? blocks.with(at, { ...block, sd }) : undefined;
}

function refusal(document: Document, id: string, block: Block | undefined): Problem {
  if (block)
    return errorProblem(`"${id}" is a ${block.kind} block: only a parameter or a constant can be set`, { block: id });
  const settable = document.blocks.filter((other) => other.kind === 'parameter' || other.kind === 'constant');
  const fix = didYouMean(
    id,
    settable.map((other) => other.id),
  );
  return errorProblem(`there is no block "${id}" to set`, { block: id, ...(fix && { fix }) });
}

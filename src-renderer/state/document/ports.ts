/** The ports of a block as they are drawn: where, of what type, fed from what, and what is wrong with them. */
import { isReservedName } from '../../../models/formula/names.ts';
import type { BlockReport, CheckReport, Problem } from '../../../src-main/contract/contract.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { isRecord } from './draft.ts';
import { namesInFormula } from './identifiers.ts';
import { kindOf, portKeys } from '../words/kinds.ts';
import type { Side } from './rectangle.ts';
import { blockOfReference, mapFormulas } from './wiring.ts';

export type Element = 'real' | 'int' | 'bool';

export interface PortView {
  /** As the wire names it; outputs of a block with one output have the block's id. */
  readonly name: string;
  readonly label: string;
  readonly side: Side;
  readonly element: Element;
  /** Undefined while nobody knows: the block has errors. */
  readonly rank: number | undefined;
  /** `[125]`, `[n, 3]`; empty for a scalar. */
  readonly shape: string;
  /** A real that goes where an int is wanted. */
  readonly whole: boolean;
  /** The reference that an input takes. */
  readonly source: string | undefined;
  readonly problem: Problem | undefined;
}

export interface PortsView {
  readonly inputs: readonly PortView[];
  readonly outputs: readonly PortView[];
  /** Outputs that are drawn where something takes them, and offered everywhere. */
  readonly aside: readonly PortView[];
}

export interface OutputType {
  readonly element: Element;
  readonly rank: number;
  readonly shape: string;
  /** A real that goes where an int is wanted. */
  readonly whole: boolean;
}

export function shapeText(shape: readonly (string | number)[], sizes: readonly number[] = []): string {
  return shape.length === 0 ? '' : `[${shape.map((size, axis) => sizes[axis] ?? size).join(', ')}]`;
}

/** `real [125]`, `int`: a type in words. */
export function typeText(type: { readonly element: Element; readonly shape: string }): string {
  return type.shape === '' ? type.element : `${type.element} ${type.shape}`;
}

/** Types by reference: `curve`, `decay.slow`. */
export function outputTypes(report: CheckReport | undefined): ReadonlyMap<string, OutputType> {
  const types = new Map<string, OutputType>();
  for (const block of report?.blocks ?? []) {
    for (const output of [...block.outputs, ...(block.aside ?? [])]) {
      const type = {
        element: output.element,
        rank: output.shape.length,
        shape: shapeText(output.shape, output.sizes),
        whole: output.whole === true,
      };
      types.set(`${block.id}.${output.name}`, type);
      if (block.outputs.length === 1) types.set(block.id, type);
    }
  }
  return types;
}

const sources = new Set(['parameter', 'constant']);

export function isSource(kind: string): boolean {
  return sources.has(kind);
}

export function portsOf(
  draft: Draft,
  block: BlockDraft,
  report: BlockReport | undefined,
  types: ReadonlyMap<string, OutputType>,
  problems: readonly Problem[],
): PortsView {
  const kinds = new Map(draft.blocks.map((other) => [other.id, other.kind]));
  // A parameter's `like` gives it a size and no value: it is said in the block, not drawn as a wire.
  const known = (report?.inputs ?? guessInputs(block)).filter(
    ({ port }) => block.kind !== 'parameter' || port !== 'like',
  );
  const inputs = inOrder(block, [...known, ...missingPorts(block, known)]).map(({ port, source }): PortView => {
    const type = source === undefined ? undefined : types.get(source);
    const feeder = source === undefined ? undefined : kinds.get(blockOfReference(source));
    return {
      name: port,
      label: portLabel(block, port),
      side: feeder !== undefined && sources.has(feeder) ? 'top' : 'left',
      element: type?.element ?? (port === 'keys' || port === 'indices' ? 'int' : 'real'),
      rank: type?.rank,
      shape: type?.shape ?? '',
      whole: type?.whole ?? false,
      source: source === '' ? undefined : source,
      problem: problems.find((problem) => problem.port === port && problem.severity === 'error'),
    };
  });
  // By-products leave below, as do the values of parameters, which stand above what they feed.
  const side: Side = sources.has(block.kind) || isObjectiveKind(block.kind) ? 'bottom' : 'right';
  const reported = report?.outputs ?? [];
  const names = reported.length > 0 ? reported.map((output) => output.name) : guessOutputs(block);
  const output = (reference: string, label: string): PortView => {
    const type = types.get(reference);
    return {
      ...{ name: reference, label, side },
      element: type?.element ?? 'real',
      rank: type?.rank,
      shape: type?.shape ?? '',
      whole: type?.whole ?? false,
      source: undefined,
      problem: undefined,
    };
  };
  const outputs = names.map((name) =>
    // A group has no formula that would say what its one output is.
    output(
      names.length === 1 ? block.id : `${block.id}.${name}`,
      names.length === 1 && block.kind !== 'group' ? '' : name,
    ),
  );
  const aside = (report?.aside ?? []).map(({ name }) => output(`${block.id}.${name}`, name));
  return { inputs, outputs, aside };
}

/** An element of `values` has the name that the operator gives it, else its number. */
function portLabel(block: BlockDraft, port: string): string {
  const index = /^values[.[](\d+)\]?$/.exec(port)?.[1];
  if (index === undefined) return port;
  const right = isRecord(block['operator']) ? block['operator']['right'] : undefined;
  const name: unknown = Array.isArray(right) ? right[Number(index)] : undefined;
  return typeof name === 'string' ? name.replace(/\d+$/, '') : index;
}

/** Ports that a block must have and that the document does not name yet: they are drawn, so that they can be wired. */
function missingPorts(block: BlockDraft, known: readonly { port: string }[]): { port: string; source?: string }[] {
  const there = (key: string) =>
    known.some(({ port }) => port === key || port.startsWith(`${key}.`) || port.startsWith(`${key}[`));
  return portKeys(block)
    .required.filter((key) => !there(key))
    .map((port) => ({ port }));
}

/** Ports by keys stand in the order of the keys, wired or not: what is unwired keeps its place. */
function inOrder<P extends { readonly port: string }>(block: BlockDraft, ports: readonly P[]): readonly P[] {
  const { required, optional } = portKeys(block);
  const order = [...required, ...optional];
  const place = ({ port }: P) => {
    const at = order.indexOf(port.replace(/[.[].*$/, ''));
    return at < 0 ? order.length : at;
  };
  return [...ports].sort((a, b) => place(a) - place(b));
}

/** Before the first check, and for what the check could not read: the ports that the document names. */
function guessInputs(block: BlockDraft): { port: string; source: string | undefined }[] {
  const inputs = new Map<string, string | undefined>();
  mapFormulas(block, (formula) => {
    for (const name of namesInFormula(formula)) if (!isReservedName(name)) inputs.set(name, name);
    return formula;
  });
  for (const key of [...portKeys(block).required, ...portKeys(block).optional]) {
    const value = block[key];
    if (typeof value === 'string') inputs.set(key, value);
    if (Array.isArray(value)) for (const [i, item] of value.entries()) inputs.set(`${key}.${i}`, String(item));
  }
  if (isRecord(block['inputs']))
    for (const [port, source] of Object.entries(block['inputs'])) inputs.set(port, String(source));
  return [...inputs].map(([port, source]) => ({ port, source }));
}

function isObjectiveKind(kind: string): boolean {
  return kindOf(kind).icon === 'objective';
}

function guessOutputs(block: BlockDraft): string[] {
  for (const key of ['outputs', 'state', 'unknown']) {
    const value = block[key];
    if (isRecord(value) && Object.keys(value).length > 0) return Object.keys(value);
  }
  return [block.id];
}

const wantsWhole = new Set(['keys', 'indices']);
const wantsNumbers = new Set([
  'prediction',
  'observed',
  'sigma',
  'weights',
  'mean',
  'probability',
  'xs',
  'ys',
  'times',
]);

/**
 * Whether a wire between two ports looks right. It may be drawn all the same: the engine says what is wrong with it, and
 * a whole column counts as int where one is wanted.
 */
export function fits(output: Pick<PortView, 'element' | 'rank' | 'whole'>, input: Pick<PortView, 'name'>): boolean {
  if (wantsWhole.has(input.name)) return (output.element === 'int' || output.whole) && output.rank !== 0;
  return output.element !== 'bool' || !wantsNumbers.has(input.name);
}

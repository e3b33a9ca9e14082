/** Fixes that are one command. */
import { isReservedName } from '../../../models/formula/names.ts';
import type { Problem } from '../../../src-main/contract/contract.ts';
import type { Command } from './commands.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { isRecord, own } from './draft.ts';
import { isIdentifier } from './identifiers.ts';
import { mapReferences } from './wiring.ts';

export interface Remedy {
  readonly title: string;
  readonly command: Command;
}

/** The likeliest first: what the engine knows to change, or else what the problem's own words tell. */
export function remediesOf(draft: Draft, problem: Problem): readonly Remedy[] {
  if (problem.remedy) {
    const { title, changes } = problem.remedy;
    return [{ title, command: { type: 'change', what: title, changes } }];
  }
  const block = draft.blocks.find((other) => other.id === problem.block);
  if (!block) return [];
  const found = [
    spelling(block, problem),
    parameter(draft, block, problem),
    meant(draft, block, problem),
    withoutKey(block, problem),
    unwired(block, problem),
  ];
  return found.filter((remedy) => remedy !== undefined);
}

export function remedyOf(draft: Draft, problem: Problem): Remedy | undefined {
  return remediesOf(draft, problem)[0];
}

interface NamedFormula {
  readonly key: string;
  /** Of an output or a state; undefined where the block has one formula. */
  readonly name: string | undefined;
  readonly text: string;
}

/** The formula that a problem points into. */
function formulaAt(block: BlockDraft, { span, output }: Problem): NamedFormula | undefined {
  const formulas = formulasOf(block);
  return span && (formulas.find(({ name }) => name === output) ?? formulas[0]);
}

function formulasOf(block: BlockDraft): NamedFormula[] {
  const single = ['formula', 'where'].flatMap((key): NamedFormula[] => {
    const text = block[key];
    return typeof text === 'string' ? [{ key, name: undefined, text }] : [];
  });
  const named = ['outputs', 'state', 'unknown'].flatMap((key) =>
    Object.entries(isRecord(block[key]) ? block[key] : {}).flatMap(([name, value]): NamedFormula[] => {
      const text = [value, own(value, 'next'), own(value, 'rate'), own(value, 'equation')].find(
        (item) => typeof item === 'string',
      );
      return text === undefined ? [] : [{ key, name, text }];
    }),
  );
  return [...single, ...named];
}

/** A name that was mistyped in a formula of its own key. */
function spelling(block: BlockDraft, problem: Problem): Remedy | undefined {
  const formula = formulaAt(block, problem);
  const name = /did you mean '([A-Za-z_]\w*)'\?/.exec(problem.message)?.[1];
  if (!formula || !problem.span || name === undefined || formula.name !== undefined) return undefined;
  const [from, to] = problem.span;
  const value = formula.text.slice(0, from) + name + formula.text.slice(to);
  return { title: `Write ${name}`, command: { type: 'set', id: block.id, key: formula.key, value } };
}

/** A formula that names what no block is called: the parameter that was meant comes into being on it. What is called is none. */
function parameter(draft: Draft, block: BlockDraft, problem: Problem): Remedy | undefined {
  const text = formulaAt(block, problem)?.text ?? '';
  const name = problem.span && text.slice(...problem.span);
  if (name === undefined || !isIdentifier(name) || isReservedName(name)) return undefined;
  if (/^\s*\(/.test(text.slice(problem.span?.[1]))) return undefined;
  if (draft.blocks.some((other) => other.id === name)) return undefined;
  return {
    title: `Add parameter ${name}`,
    command: { type: 'add', blocks: [{ id: name, kind: 'parameter', initial: 1 }], positions: [] },
  };
}

/** A reference to no block, of which one has nearly the name. */
function meant(draft: Draft, block: BlockDraft, { port, got, fix }: Problem): Remedy | undefined {
  const name = /^did you mean "([A-Za-z_][\w.]*)"\?$/.exec(fix ?? '')?.[1];
  if (port === undefined || name === undefined || !takes(block, got)) return undefined;
  if (!draft.blocks.some((other) => other.id === name.split('.')[0])) return undefined;
  return { title: `Wire ${name} instead`, command: { type: 'wire', id: block.id, port, source: name } };
}

/** A key that the block's kind does not have. */
function withoutKey(block: BlockDraft, { port, message }: Problem): Remedy | undefined {
  if (port === undefined || !message.includes('unknown key') || !Object.hasOwn(block, port)) return undefined;
  return { title: `Take ${port} away`, command: { type: 'set', id: block.id, key: port, value: undefined } };
}

/** A wire that brings what the port does not want. */
function unwired(block: BlockDraft, { port, wanted, got }: Problem): Remedy | undefined {
  if (port === undefined || wanted === undefined || got === undefined) return undefined;
  const source = block[port];
  // Names of columns, of methods, … are words that are no references.
  if (typeof source !== 'string' || !takes(block, source)) return undefined;
  return { title: 'Take the wire away', command: { type: 'wire', id: block.id, port, source: null } };
}

function takes(block: BlockDraft, reference: string | undefined): boolean {
  let found = false;
  mapReferences(block, (each) => {
    found ||= each === reference;
    return each;
  });
  return found;
}

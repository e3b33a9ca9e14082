/** What the text of a kernel has declared so far, and what its names stand for. */
import type { WorkgroupVariable } from './machine.ts';
import type { Typed } from './syntax.ts';
import type { Valued } from './values.ts';

export interface Callable {
  readonly parameters: readonly Typed[];
  readonly result: string;
  readonly waits: boolean;
}

export interface Shared extends WorkgroupVariable {
  readonly element: string;
  readonly indexed: boolean;
}

export interface Kernel {
  readonly lines: string[];
  readonly structs: Map<string, readonly Typed[]>;
  readonly functions: Map<string, Callable>;
  readonly constants: Map<string, Valued>;
  readonly shared: Shared[];
  /** Of local names their types, the innermost scope last. */
  scopes: Map<string, string>[];
  /** Whether the function that is being written has a barrier, and what it returns. */
  waits: boolean;
  result: string;
  /** Places in the text that have been counted. */
  sites: number;
  lanes: number;
  main: Callable | undefined;
}

export const emptyKernel = (): Kernel => ({
  lines: [],
  structs: new Map(),
  functions: new Map(),
  constants: new Map(),
  shared: [],
  scopes: [],
  waits: false,
  result: 'void',
  sites: 0,
  lanes: 1,
  main: undefined,
});

export function zeroOf(kernel: Kernel, type: string): string {
  if (type === 'bool') return 'false';
  if (['f32', 'i32', 'u32'].includes(type)) return '0';
  const array = /^array<(.*),(\d+)>$/.exec(type);
  if (array) return `Array.from({ length: ${array[2]} }, () => (${zeroOf(kernel, array[1] ?? '')}))`;
  const members = kernel.structs.get(type);
  if (!members) throw new SyntaxError(`WGSL: no zero of ${type}`);
  return `{ ${members.map((member) => `${member.name}: ${zeroOf(kernel, member.type)}`).join(', ')} }`;
}

export function copied(kernel: Kernel, text: string, type: string): string {
  if (kernel.structs.has(type)) return `copy_${type}(${text})`;
  return text;
}

export function typeOfName(kernel: Kernel, name: string): string | undefined {
  for (const scope of kernel.scopes.toReversed()) if (scope.has(name)) return scope.get(name);
  return undefined;
}

export function sharedNumber(kernel: Kernel, name: string): number {
  return typeOfName(kernel, name) === undefined ? kernel.shared.findIndex((variable) => variable.name === name) : -1;
}

export function memberType(kernel: Kernel, type: string, name: string): string {
  const vector = /^vec\d<(.*)>$/.exec(type);
  if (vector) return vector[1] ?? '';
  if (type === 'exchange') return name === 'exchanged' ? 'bool' : 'u32';
  const member = kernel.structs.get(type)?.find((candidate) => candidate.name === name);
  if (!member) throw new SyntaxError(`WGSL: ${type} has no ${name}`);
  return member.type;
}

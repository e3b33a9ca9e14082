/**
 * A kernel's WGSL as a JavaScript function of one invocation, with f32, i32 and u32 arithmetic as WGSL has it. Every access
 * to the arena and to workgroup memory goes through the `Machine`; a barrier is a `yield`.
 */
import { compileFunction } from 'node:vm';
import { prelude } from './arithmetic.ts';
import { copied, emptyKernel, zeroOf, type Kernel } from './kernel.ts';
import type { CompiledKernel } from './machine.ts';
import { statementsOf } from './statements.ts';
import { parseWgsl, type Declaration } from './syntax.ts';

export function compileKernel(wgsl: string): CompiledKernel {
  const kernel = emptyKernel();
  for (const declaration of parseWgsl(wgsl)) add(kernel, declaration);
  return compiled(kernel);
}

function add(kernel: Kernel, declaration: Declaration): void {
  switch (declaration.kind) {
    case 'struct': {
      const { name, members } = declaration;
      kernel.structs.set(name, members);
      const copies = members.map((member) => `${member.name}: ${copied(kernel, `v.${member.name}`, member.type)}`);
      kernel.lines.push(`const copy_${name} = (v) => ({ ${copies.join(', ')} });`);
      return;
    }
    case 'variable':
      addVariable(kernel, declaration);
      return;
    case 'function':
      addFunction(kernel, declaration);
  }
}

function addVariable(kernel: Kernel, { name, space, type }: Extract<Declaration, { kind: 'variable' }>): void {
  if (space.startsWith('constant ')) {
    kernel.constants.set(name, { text: space.slice('constant '.length), type });
    return;
  }
  if (space !== 'workgroup') return;
  const array = /^array<(.*),(\d+)>$/.exec(type);
  const element = (array?.[1] ?? type).replace(/^atomic<(.*)>$/, '$1');
  const zero = compileFunction(`return ${zeroOf(kernel, element)};`) as () => unknown;
  kernel.shared.push({ name, length: Number(array?.[2] ?? 1), zero, element, indexed: array !== null });
}

function addFunction(kernel: Kernel, declaration: Extract<Declaration, { kind: 'function' }>): void {
  const { name, parameters, result = 'void', body, lanes } = declaration;
  kernel.scopes = [new Map(parameters.map((parameter) => [parameter.name, parameter.type]))];
  kernel.waits = false;
  kernel.result = result;
  const text = statementsOf(kernel, body);
  const callable = { parameters, result, waits: kernel.waits };
  kernel.functions.set(name, callable);
  const star = kernel.waits ? '*' : '';
  kernel.lines.push(`function${star} $${name}(${parameters.map((p) => `$${p.name}`).join(', ')}) {\n${text}\n}`);
  if (lanes === undefined) return;
  kernel.main = callable;
  kernel.lanes = lanes;
  const builtins = parameters.map(({ builtin }) => builtin).join();
  if (builtins !== 'workgroup_id,num_workgroups,local_invocation_index')
    throw new SyntaxError(`WGSL: an entry point of other builtins: ${builtins}`);
}

function compiled(kernel: Kernel): CompiledKernel {
  if (!kernel.main) throw new SyntaxError('WGSL: no entry point');
  const body = `${prelude}${kernel.lines.join('\n')}\nreturn (machine, values, group, groups, local) => {
    m = machine; shared = values;
    return $main(group, groups, local);
  };`;
  const make = compileFunction(`let m, shared;\n${body}`) as () => CompiledKernel['invocation'];
  return { lanes: kernel.lanes, shared: kernel.shared, invocation: make() };
}

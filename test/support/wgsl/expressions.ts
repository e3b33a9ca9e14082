/** Expressions, and places that are read or written, in JavaScript. */
import { bitcast, builtin, infixed, prefixed } from './arithmetic.ts';
import { copied, memberType, sharedNumber, typeOfName, zeroOf, type Kernel } from './kernel.ts';
import { arenaSpace, faultSpace } from './machine.ts';
import type { Expression, Typed } from './syntax.ts';
import { coerced, literal, type Valued } from './values.ts';

export function expressionOf(kernel: Kernel, expression: Expression): Valued {
  switch (expression.kind) {
    case 'number':
      return { text: literal(expression.value, expression.type), type: expression.type };
    case 'truth':
      return { text: `${expression.value}`, type: 'bool' };
    case 'name':
      return kernel.constants.get(expression.name) ?? placeOf(kernel, expression, false);
    case 'member':
      return memberOf(kernel, expression);
    case 'index':
      if (expression.of.kind === 'name' && expression.of.name === 'arena')
        return { text: `m.load(${indexOf(kernel, expression.at)}, ${kernel.sites++})`, type: 'u32' };
      return placeOf(kernel, expression, false);
    case 'unary':
      return prefixed(expression.operator, expressionOf(kernel, expression.operand));
    case 'binary':
      return infixed(
        expression.operator,
        expressionOf(kernel, expression.left),
        expressionOf(kernel, expression.right),
      );
    case 'call':
      return callOf(kernel, expression);
  }
}

export function valueOf(kernel: Kernel, expression: Expression, type: string): string {
  return coerced(expressionOf(kernel, expression), type);
}

/** Of either sign. */
export function indexOf(kernel: Kernel, expression: Expression): string {
  const { text, type } = expressionOf(kernel, expression);
  if (!['i32', 'u32', 'whole'].includes(type)) throw new SyntaxError(`WGSL: an index of type ${type}`);
  return text;
}

/** A name, an element or a member, to be read or written. */
export function placeOf(kernel: Kernel, expression: Expression, written: boolean): Valued {
  if (expression.kind === 'member') {
    const of = placeOf(kernel, expression.of, written);
    return { text: `${of.text}.${expression.name}`, type: memberType(kernel, of.type, expression.name) };
  }
  if (expression.kind === 'index' && expression.of.kind === 'name') {
    const { name } = expression.of;
    const at = indexOf(kernel, expression.at);
    const element = /^array<(.*),\d+>$/.exec(typeOfName(kernel, name) ?? '')?.[1] ?? '';
    return sharedPlace(kernel, name, at, written) ?? { text: `$${name}[${at}]`, type: element };
  }
  if (expression.kind !== 'name') throw new SyntaxError(`WGSL: no place: ${expression.kind}`);
  const { name } = expression;
  const shared = sharedPlace(kernel, name, '0', written);
  if (shared) return shared;
  const type = typeOfName(kernel, name);
  if (type === undefined) throw new SyntaxError(`WGSL: ${name} is not declared`);
  return { text: `$${name}`, type };
}

/** An element of workgroup memory, where the name is of that. */
function sharedPlace(kernel: Kernel, name: string, at: string, written: boolean): Valued | undefined {
  const variable = sharedNumber(kernel, name);
  if (variable < 0) return undefined;
  const checked = `m.${written ? 'writes' : 'reads'}(${variable}, ${at})`;
  return { text: `shared[${variable}][${checked}]`, type: kernel.shared[variable]?.element ?? '' };
}

function memberOf(kernel: Kernel, expression: Extract<Expression, { kind: 'member' }>): Valued {
  const { of, name } = expression;
  if (of.kind === 'index' && of.of.kind === 'name' && of.of.name === 'p')
    return { text: `m.block[4 * ${indexOf(kernel, of.at)} + ${'xyzw'.indexOf(name)}]`, type: 'i32' };
  const whole = of.kind === 'call' ? callOf(kernel, of) : placeOf(kernel, of, false);
  return { text: `${whole.text}.${name}`, type: memberType(kernel, whole.type, name) };
}

function callOf(kernel: Kernel, { name, type, operands }: Extract<Expression, { kind: 'call' }>): Valued {
  if (name === 'workgroupBarrier') {
    kernel.waits = true;
    return { text: `yield ${kernel.sites++}`, type: 'void' };
  }
  if (name.startsWith('atomic')) return atomicOf(kernel, name, operands);
  const struct = kernel.structs.get(name);
  if (struct && operands.length === 0) return { text: `(${zeroOf(kernel, name)})`, type: name };
  if (struct) {
    const members = valuesOf(kernel, struct, operands).map((value, i) => {
      const { name: member, type: own } = struct[i]!;
      return `${member}: ${copied(kernel, value, own)}`;
    });
    return { text: `({ ${members.join(', ')} })`, type: name };
  }
  const callable = kernel.functions.get(name);
  if (callable) {
    const text = `$${name}(${valuesOf(kernel, callable.parameters, operands).join(', ')})`;
    if (callable.waits) kernel.waits = true;
    return { text: callable.waits ? `(yield* ${text})` : text, type: callable.result };
  }
  const values = operands.map((operand) => expressionOf(kernel, operand));
  const vector = /^vec(\d)$/.test(name) && type !== undefined;
  if (vector) {
    const parts = values.map((part, i) => `${'xyzw'[i]}: ${coerced(part, type)}`);
    return { text: `({ ${parts.join(', ')} })`, type: `${name}<${type}>` };
  }
  if (name === 'array' && type !== undefined) {
    const element = type.split(',')[0] ?? '';
    return { text: `[${values.map((value) => coerced(value, element)).join(', ')}]`, type: `array<${type}>` };
  }
  if (name === 'bitcast') return bitcast(values[0]!, type ?? '');
  return builtin(name, values);
}

/** Operands as the values of parameters or members, one by one. */
function valuesOf(kernel: Kernel, typed: readonly Typed[], operands: readonly Expression[]): string[] {
  return typed.map(({ type }, i) => valueOf(kernel, operands[i]!, type));
}

function atomicOf(kernel: Kernel, name: string, operands: readonly Expression[]): Valued {
  const [pointer, ...rest] = operands;
  const target = pointer?.kind === 'unary' && pointer.operator === '&' ? pointer.operand : undefined;
  if (target?.kind !== 'index' || target.of.kind !== 'name') throw new SyntaxError(`WGSL: ${name} of what?`);
  const at = indexOf(kernel, target.at);
  const values = rest.map((operand) => valueOf(kernel, operand, 'u32'));
  const array = target.of.name;
  if (name === 'atomicCompareExchangeWeak' && array === 'fault')
    return { text: `m.exchange(${at}, ${values.join(', ')})`, type: 'exchange' };
  const space = array === 'arena' ? arenaSpace : array === 'fault' ? faultSpace : sharedNumber(kernel, array);
  const operation = name.slice('atomic'.length);
  return { text: `m.atomic('${operation}', ${space}, ${at}, ${values[0] ?? 0}, ${kernel.sites++})`, type: 'u32' };
}

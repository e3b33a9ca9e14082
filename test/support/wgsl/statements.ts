/** Statements in JavaScript. */
import { arithmetic } from './arithmetic.ts';
import { expressionOf, indexOf, placeOf, valueOf } from './expressions.ts';
import { copied, zeroOf, type Kernel } from './kernel.ts';
import type { Statement } from './syntax.ts';
import { coerced, concreteOf } from './values.ts';

export function statementsOf(kernel: Kernel, body: readonly Statement[]): string {
  kernel.scopes.push(new Map());
  const text = body.map((statement) => statementOf(kernel, statement)).join('\n');
  kernel.scopes.pop();
  return text;
}

function statementOf(kernel: Kernel, statement: Statement): string {
  switch (statement.kind) {
    case 'declare':
      return `${declarationOf(kernel, statement)};`;
    case 'assign':
      return `${assignmentOf(kernel, statement)};`;
    case 'if':
      return `if (${valueOf(kernel, statement.condition, 'bool')}) {\n${statementsOf(kernel, statement.then)}\n} else {\n${statementsOf(kernel, statement.otherwise)}\n}`;
    case 'for': {
      kernel.scopes.push(new Map());
      const { begin, condition, step } = statement;
      const head = begin
        ? begin.kind === 'declare'
          ? declarationOf(kernel, begin)
          : statementOf(kernel, begin).slice(0, -1)
        : '';
      const test = condition ? valueOf(kernel, condition, 'bool') : '';
      const last = step?.kind === 'assign' ? assignmentOf(kernel, step) : '';
      const text = `for (${head}; ${test}; ${last}) {\n${statementsOf(kernel, statement.body)}\n}`;
      kernel.scopes.pop();
      return text;
    }
    case 'block':
      return `{\n${statementsOf(kernel, statement.body)}\n}`;
    case 'call':
      return `${expressionOf(kernel, statement.call).text};`;
    case 'return':
      return statement.value ? `return ${valueOf(kernel, statement.value, kernel.result)};` : 'return;';
    case 'break':
    case 'continue':
      return `${statement.kind};`;
  }
}

function declarationOf(kernel: Kernel, { name, type, value }: Extract<Statement, { kind: 'declare' }>): string {
  const found = value && expressionOf(kernel, value);
  const concrete = type ?? concreteOf(found?.type ?? '');
  const text = found ? copied(kernel, coerced(found, concrete), concrete) : zeroOf(kernel, concrete);
  kernel.scopes.at(-1)?.set(name, concrete);
  return `let $${name} = ${text}`;
}

function assignmentOf(kernel: Kernel, { to, operator, value }: Extract<Statement, { kind: 'assign' }>): string {
  if (to.kind === 'index' && to.of.kind === 'name' && to.of.name === 'arena') {
    if (operator !== '') throw new SyntaxError('WGSL: arithmetic upon the arena');
    return `m.store(${indexOf(kernel, to.at)}, ${valueOf(kernel, value, 'u32')}, ${kernel.sites++})`;
  }
  const target = placeOf(kernel, to, true);
  if (operator === '') return `${target.text} = ${copied(kernel, valueOf(kernel, value, target.type), target.type)}`;
  const current = placeOf(kernel, to, false);
  const sum = arithmetic(operator, current, expressionOf(kernel, value));
  return `${target.text} = ${coerced(sum, target.type)}`;
}

/** The example of every rule: it reads as it prints, its rule applies to it and is right on it, and docs/rules.md shows it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import type { Named, Program } from '../../../engine/0-ir/program.ts';
import { sizeValue } from '../../../engine/0-ir/sizes.ts';
import { verify } from '../../../engine/0-ir/verify.ts';
import type { Choice } from '../../../engine/2-ad/choose.ts';
import type { VjpRule } from '../../../engine/2-ad/rule.ts';
import { vjp, vjpRules, type VjpOptions } from '../../../engine/2-ad/vjp.ts';
import { checkDerivatives, randomNumbers } from '../../support/derivatives.ts';

const sizes = { n: 6, m: 2, bins: 3 };
const origin = 'example';

/** The example, with its construct in a block on which a rule can be forced. */
function exampleOf(rule: VjpRule): Program {
  const program = parseProgram(rule.example);
  const statements = program.statements.map((statement) =>
    statement.construct.kind === rule.construct ? { ...statement, origin } : statement,
  );
  return { ...program, statements };
}

const choices = (rule: VjpRule, options: VjpOptions = {}): Choice[] => {
  const found: Choice[] = [];
  vjp(exampleOf(rule), {
    ...options,
    onChoice: (statement, choice) => void (statement.origin === origin && found.push(choice)),
  });
  return found;
};

/** Reals without ties, away from the bounds of functions; keys of which one bin has several and one element has none. */
function elements(program: Program): Map<string, number[]> {
  const random = randomNumbers(7);
  const draw = ({ value: { type } }: Named): number[] => {
    const length = type.shape.reduce<number>((count, size) => count * sizeValue(size, sizes), 1);
    return Array.from({ length }, (_, i) => {
      if (type.element === 'real') return 0.2 + 0.6 * random();
      return type.element === 'int' ? [0, 2, 1, 0, 3, 0][i % 6]! : Number(i % 3 === 0);
    });
  };
  return new Map(program.parameters.map((parameter) => [parameter.name, draw(parameter)]));
}

/** Breaks of lines aside, which are the writer's. */
const words = (text: string): string => text.replace(/[\s;]+/g, ' ');

describe.each(vjpRules.map((rule) => ({ name: rule.name, rule })))('$name', ({ rule }) => {
  test('the example reads as it prints, and verifies', () => {
    const program = parseProgram(rule.example);
    verify(program);
    expect(words(printProgram(program))).toBe(words(rule.example));
    expect(program.statements.filter(({ construct }) => construct.kind === rule.construct)).toHaveLength(1);
  });

  test('the rule is one of those that apply, and holds where it is forced', () => {
    const [free] = choices(rule);
    expect([free, ...(free?.passedOver ?? [])].map((choice) => choice?.rule)).toContain(rule);
    const [forced] = choices(rule, { force: new Map([[origin, rule.name]]) });
    expect(forced).toMatchObject({ rule, because: 'forced' });
  });

  test('reverse mode by the rule = forward mode = central differences', () => {
    const program = exampleOf(rule);
    checkDerivatives(program, elements(program), sizes, { force: new Map([[origin, rule.name]]) });
  });
});

test('docs/rules.md shows every example under the names of its rules, in the order of the list', () => {
  const text = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/^((?:`[a-z-]+`(?:, )?)+):\n\n```text\n(.*?)\n```$/gms)];
  const wanted = [...new Set(vjpRules.map(({ example }) => example))].map((example) => {
    const names = vjpRules.filter((rule) => rule.example === example).map(({ name }) => `\`${name}\``);
    return [names.join(', '), example];
  });
  expect(shown.map(([, names, example]) => [names, example])).toEqual(wanted);
});

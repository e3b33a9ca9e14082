/** Formulas of a block as MathML, which every browser of today sets without fonts or styles of its own. */
import katex from 'katex';
import type { Block } from '../../../models/blocks/block.ts';
import { escapeXml } from '../../../models/notation/escape-xml.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import { formulaToTex, longestTypeset, nameToTex } from '../../../models/formula/tex.ts';
import { reactionsOf } from '../../../models/blocks/ode/schema.ts';
import { describeBlock } from '../model-program.ts';
import type { Markup } from '../html.ts';

/** What is set equal to which formula: `x` for a map, `dS/dt` for a rate, `x_{t+1}` for a step. */
function formulasOf(block: Block): (readonly [left: string, formula: string])[] {
  const name = nameToTex(block.id);
  switch (block.kind) {
    case 'map':
      return block.formula !== undefined
        ? [[name, block.formula]]
        : Object.entries(block.outputs ?? {}).map(([output, formula]) => [nameToTex(output), formula] as const);
    case 'quantity':
      return [[name, block.formula]];
    case 'ode':
      return [
        ...Object.entries(block.state).flatMap(([state, { rate }]) =>
          rate === undefined ? [] : [[`\\frac{d\\,${nameToTex(state)}}{d\\,t}`, rate] as const],
        ),
        ...reactionsOf(block).map(({ reaction, rate }) => [`\\text{${reaction}:}\\quad v`, rate] as const),
      ];
    case 'solve':
      return Object.entries(block.unknown).map(([, { equation }]) => ['0', equation] as const);
    case 'recurrence':
      return Object.entries(block.state).map(([state, { next }]) => [`{${nameToTex(state)}}^{+}`, next] as const);
    default:
      return [];
  }
}

function typeset(left: string, formula: string): string {
  const parsed = parseFormula(formula);
  if (!parsed.ok || formula.length > longestTypeset) return escapeXml(formula);
  const tex = `${left} = ${formulaToTex(parsed.formula)}`;
  const written = katex.renderToString(tex, {
    output: 'mathml',
    displayMode: true,
    throwOnError: false,
    strict: 'ignore',
  });
  // HTML needs no namespace for <math>; without it the report holds no address at all, as its test asks.
  return written.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', '');
}

/** In a line what the block is, and its formulas typeset. */
export function describedBlock(block: Block): Markup {
  const formulas = formulasOf(block).map(([left, formula]) => typeset(left, formula));
  return { html: formulas.length > 0 ? formulas.join('') : escapeXml(describeBlock(block)) };
}

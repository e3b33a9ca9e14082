/**
 * What a text editor needs of the language: the parser with the tags that highlighting styles, and the words to complete.
 * It knows nothing of any editor.
 */
import { styleTags, tags } from '@lezer/highlight';
import { formulaConstants, indexSummary } from './constants.ts';
import { formulaFunctions, functionNames, signature } from './functions.ts';
import { parser } from './parser.generated.ts';

/** An error-tolerant parser, for highlighting text that is being typed. `parseFormula` is the strict one. */
export const formulaParser = parser.configure({
  props: [
    styleTags({
      Number: tags.number,
      Boolean: tags.bool,
      'Name ElementName': tags.variableName,
      Label: tags.string,
      '[ ]': tags.squareBracket,
      DefinedName: tags.definition(tags.variableName),
      'Callee/...': tags.function(tags.variableName),
      'And Or Not': tags.logicOperator,
      'Plus Minus Times Divide Power': tags.arithmeticOperator,
      CompareOperator: tags.compareOperator,
      Equals: tags.definitionOperator,
      '( )': tags.paren,
      ',': tags.separator,
    }),
  ],
});

export interface Completion {
  readonly word: string;
  readonly kind: 'function' | 'constant' | 'keyword';
  /** `atan2(y, x)` for a function, the word itself for others. */
  readonly signature: string;
  readonly summary: string;
}

/** Every word that the language itself has; the names of blocks are the editor's to add. */
export const completions: readonly Completion[] = [
  ...functionNames.map((word) => ({
    word,
    kind: 'function' as const,
    signature: signature(word),
    summary: formulaFunctions[word].summary,
  })),
  ...Object.entries(formulaConstants).map(([word, { summary }]) => ({
    word,
    kind: 'constant' as const,
    signature: word,
    summary,
  })),
  { word: 'index', kind: 'constant', signature: 'index', summary: indexSummary },
  ...['and', 'or', 'not', 'true', 'false'].map((word) => ({
    word,
    kind: 'keyword' as const,
    signature: word,
    summary: 'of conditions',
  })),
];

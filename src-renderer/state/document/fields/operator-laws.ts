/**
 * The laws of an operator in the inspector. The engine tests them at every edit and says of a breach, with the sentence
 * below and then a counter-example, which law it is.
 */
import type { Problem } from '../../../../src-main/contract/contract.ts';
import type { JsonRecord } from '../draft.ts';

export type Law = 'associative' | 'neutral' | 'commutative' | 'inverse' | 'lift';

interface LawText {
  readonly title: string;
  readonly equation: string;
  /** How the engine begins a breach. */
  readonly broken: string;
}

export const laws: { readonly [L in Law]: LawText } = {
  associative: {
    title: 'associative',
    equation: '(a ⊙ b) ⊙ c = a ⊙ (b ⊙ c)',
    broken: 'the operator is not associative',
  },
  neutral: { title: 'neutral element', equation: 'e ⊙ a = a = a ⊙ e', broken: 'the neutral element is wrong' },
  commutative: {
    title: 'commutative',
    equation: 'a ⊙ b = b ⊙ a',
    broken: 'the operator is not commutative, as it is claimed or needed',
  },
  inverse: { title: 'inverse', equation: '(a ⊙ b) ⊖ b = a', broken: 'the inverse is wrong' },
  lift: {
    title: 'lift',
    equation: 'does what the operator does',
    broken: 'the lift does not do what the operator does',
  },
};

/** Which law a problem is the breach of, and the counter-example alone. */
export function breachOf({ message }: Pick<Problem, 'message'>): { law: Law; example: string } | undefined {
  for (const law of Object.keys(laws) as Law[]) {
    const at = message.indexOf(`${laws[law].broken}: `);
    if (at >= 0) return { law, example: message.slice(at + laws[law].broken.length + 2) };
  }
  return undefined;
}

/** The laws that an operator has to keep: those of all, and those that it claims or that its block needs. */
export function demanded(operator: JsonRecord, kind: string): readonly Law[] {
  const claims = (key: string) => operator[key] !== undefined;
  return [
    'associative',
    'neutral',
    ...(operator['commutative'] === true || kind === 'histogram' ? (['commutative'] as const) : []),
    ...(claims('inverse') ? (['inverse'] as const) : []),
    ...(claims('lift') ? (['lift'] as const) : []),
  ];
}

export interface Preset {
  readonly title: string;
  readonly operator: JsonRecord;
}

/** Operators on tuples that are met again and again, to begin from. */
export const presets: readonly Preset[] = [
  {
    title: 'linear recurrence, x ← b + c·x',
    operator: {
      left: ['b1', 'c1'],
      right: ['b2', 'c2'],
      result: ['b2 + c2 * b1', 'c2 * c1'],
      neutral: [0, 1],
    },
  },
  {
    title: 'sum of both of two',
    operator: {
      left: ['s1', 'n1'],
      right: ['s2', 'n2'],
      result: ['s1 + s2', 'n1 + n2'],
      neutral: [0, 0],
      commutative: true,
    },
  },
  {
    title: 'largest, and what goes with it',
    operator: {
      left: ['x1', 'i1'],
      right: ['x2', 'i2'],
      result: ['max(x1, x2)', 'if(x2 > x1, i2, i1)'],
      neutral: ['-Infinity', 0],
    },
  },
  {
    title: 'sum of numbers',
    operator: { left: ['a'], right: ['b'], result: ['a + b'], neutral: [0], commutative: true },
  },
];

/** The contract on `rules`: one entry for a block, what of the Jacobian is stored, and what is refused as no law. */
import { describe, expect, it } from 'vitest';
import { cotangent, documentOf, json, parameter, written, type PlainBlock } from '../support/command-line.ts';

interface Report {
  readonly id: string;
  readonly construct: string;
  readonly rule: string;
  readonly stored: number | null;
  readonly of: number | null;
  readonly cost: number;
}

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

/** q × q matrices row by row. */
function matMul(q: number): PlainBlock {
  const indices = Array.from({ length: q }, (_, i) => i);
  const result = indices.flatMap((i) =>
    indices.map((j) => indices.map((k) => `a${i * q + k}*b${k * q + j}`).join(' + ')),
  );
  const neutral = indices.flatMap((i) => indices.map((j) => (i === j ? 1 : 0)));
  return { left: names('a', q * q), right: names('b', q * q), result, neutral };
}

const linFnComp = { left: ['b1', 'c1'], right: ['b2', 'c2'], result: ['b2 + c2*b1', 'c2*c1'], neutral: [0, 1] };
const sumOfProd = {
  left: ['p1', 's1'],
  right: ['p2', 's2'],
  result: ['p1 + p2 + s1*s2', 's1 + s2'],
  neutral: [0, 0],
  inverse: ['p1 - p2 - (s1 - s2)*s2', 's1 - s2'],
};

/** A document with one block that combines parameters by the operator. */
function combining(kind: 'reduce' | 'scan', operator: unknown, components: number): string {
  const ids = names('x', components);
  const values = ids.length === 1 ? 'x0' : ids;
  return written(
    documentOf([...ids.map((id) => parameter(id, [0.5, 1.5, 0.75])), { id: 'y', kind, operator, values }]),
  );
}

async function reportOf(path: string, ...options: string[]): Promise<Report> {
  const { blocks } = (await json('rules', path, ...options)) as { blocks: Report[] };
  expect(blocks.map(({ id }) => id)).toEqual(['y']);
  return blocks[0]!;
}

describe('what a scan stores of its Jacobian', () => {
  it.each([
    ['+', 'add', 1, 0, 1],
    ['sumOfProd', sumOfProd, 2, 1, 4],
    ['linFnComp', linFnComp, 2, 1, 4],
    ['matMul 2×2', matMul(2), 4, 4, 16],
    ['matMul 3×3', matMul(3), 9, 9, 81],
  ] as const)('%s', async (_, operator, components, stored, of) => {
    expect(await reportOf(combining('scan', operator, components))).toMatchObject({ construct: 'scan', stored, of });
  });
});

describe('one entry for a block', () => {
  const lifted = {
    left: ['a'],
    right: ['b'],
    result: ['sqrt(a^2 + b^2)'],
    neutral: [0],
    domain: [[0.125, 'Infinity']],
    lift: {
      into: ['a^2'],
      operator: { left: ['p'], right: ['q'], result: ['p + q'], neutral: [0], inverse: ['p - q'] },
      back: ['sqrt(p)'],
    },
  };

  it('where a lift makes two constructs of it', async () => {
    expect((await reportOf(combining('reduce', lifted, 1))).rule).toBe('reduce-lifted');
  });

  it('says to people what decided, and what it costs beside the value alone', async () => {
    const lines = async (operator: unknown, components: number, ...options: string[]): Promise<string[]> =>
      (await cotangent('rules', combining('reduce', operator, components), ...options)).stdout.trim().split('\n');
    const [head, row, ...rest] = await lines('multiply', 1);
    expect(rest).toEqual([]);
    expect(head).toContain('× primal');
    expect(row).toMatch(/reduce-multiply +edge cases .* \d+\.\d /);
    expect((await lines(sumOfProd, 2))[1]).toMatch(/reduce-invertible +lowest cost /);
    expect((await lines(sumOfProd, 2, '--rule', 'y=reduce-general'))[1]).toMatch(/reduce-general +--rule /);
  });
});

describe('an operator without its laws is refused, with a counter-example', () => {
  const operator = (more: PlainBlock): PlainBlock => ({
    left: ['a'],
    right: ['b'],
    result: ['a + b'],
    neutral: [0],
    ...more,
  });
  it.each([
    ['no associative law', operator({ result: ['a - b'] }), /associative/],
    ['no neutral element', operator({ neutral: [1] }), /neutral/],
    ['an inverse that inverts nothing', operator({ inverse: ['a + b'] }), /inverse/],
  ])('%s', async (_, wrong, message) => {
    const { status, stdout, stderr } = await cotangent('check', combining('reduce', wrong, 1));
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^cotangent: [^\n]*"y"[^\n]*\n$/);
    expect(stderr).toMatch(message);
    // The counter-example: elements and what they give.
    expect(stderr).toMatch(/-?\d+(\.\d+)?/);
  });
});

/** Histograms of any operator, differentiated by keyed scans and by a sort: the same, and the sort not in what runs again. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import type { Size } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { profiles } from '../../../engine/2-ad/cost.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import type { Step } from '../../../engine/3-plan/plan.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { sumOfProd as declared, satAdd, matMul2, type TestOperator } from '../../support/operators.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';

const { inverse: _, ...sumOfProd } = declared;
const operators: readonly TestOperator[] = [
  { name: 'satAdd', operator: satAdd, range: [0.1, 0.7] },
  { name: 'sumOfProd', operator: sumOfProd, range: [-1, 1] },
  { name: 'matMul2', operator: matMul2, range: [-1, 1] },
];

const rules = ['histogram-structured', 'histogram-general', 'histogram-sorted-structured', 'histogram-sorted-general'];

function histogramOf({ operator }: TestOperator, bins: Size, begun = false): Program {
  const b = new ProgramBuilder();
  b.origin = 'h';
  const keys = b.parameter('keys', arrayType('int', ['n']));
  const real = (name: string, size: Size) =>
    operator.neutral.map((_, i) => b.parameter(`${name}${i}`, arrayType('real', [size])));
  const initial = begun && real('initial', bins);
  const results = b.histogram(operator, keys, real('x', 'n'), bins, initial ? { initial } : {});
  return b.finish(results.map((value, i): { name: string; value: Value } => ({ name: `y${i}`, value })));
}

const derivative = (program: Program, rule: string): Program => vjp(program, { force: new Map([['h', rule]]) });

/** How the keys of n elements fall: on few bins, on one, mostly on one, on more bins than there are elements, outside. */
const keyings: Record<string, (i: number, n: number, bins: number) => number> = {
  spread: (i, _n, bins) => (Math.imul(i + 1, 0x9e3779b1) >>> 8) % bins,
  constant: (_i, _n, bins) => bins - 1,
  skewed: (i, _n, bins) => (i % 17 === 0 ? i % bins : 0),
  sorted: (i, n, bins) => Math.floor((i * bins) / n),
  'mostly outside': (i, _n, bins) => (Math.imul(i + 1, 0x9e3779b1) % (2 * bins)) - bins,
};

describe.each(operators)('$name', (operator) => {
  test.each(Object.entries(keyings))('keys %s: every rule gives the same on the CPU', (_name, keyOf) => {
    const programs = [false, true].map((begun) => {
      const program = histogramOf(operator, 'bins', begun);
      return { program, plans: rules.map((rule) => compile(derivative(program, rule))) };
    });
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2, 50, 3000),
        fc.constantFrom(1, 7, 401, 5000),
        fc.boolean(),
        fc.constantFrom('f64' as const, 'f32' as const),
        fc.integer({ min: 1, max: 1e9 }),
        (n, bins, begun, precision, seed) => {
          const { plans } = programs[Number(begun)]!;
          const [low, high] = operator.range;
          const noise = (i: number) => low + ((high - low) * ((Math.imul(i + seed, 0x85ebca6b) >>> 4) % 4096)) / 4096;
          const inputs = new Map(
            (plans[0]?.inputs ?? []).map(({ name, type }, which) => {
              const length = type.shape[0] === 'n' ? n : bins;
              const at = (i: number) => (name === 'keys' ? keyOf(i, n, bins) : noise(i + 7919 * which));
              return [name, Array.from({ length }, (_, i) => at(i))] as const;
            }),
          );
          const [first, ...others] = plans.map((plan) => runOnCpu(plan, inputs, { n, bins }, { precision }));
          for (const [name, wanted] of Object.entries(first ?? {})) {
            const scale = Math.max(1e-30, ...wanted.map(Math.abs));
            others.forEach((found, which) => {
              const gap = Math.max(0, ...wanted.map((value, i) => Math.abs(value - found[name]![i]!)));
              expect(gap / scale, `${name} by ${rules[which + 1]}`).toBeLessThan(precision === 'f64' ? 1e-9 : 2e-3);
            });
          }
        },
      ),
      { numRuns: 12 },
    );
  });
});

const kindsOf = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => (step.kind === 'loop' ? kindsOf(step.steps) : [step.kind]));

describe('keys that are data', () => {
  const program = histogramOf(operators[1]!, 'bins');
  const varying = (derived: Program) => new Set(derived.parameters.map(({ name }) => name).filter((n) => n !== 'keys'));

  test.each(rules.slice(2))('%s sorts once, by as many bits as bins + 1 has', (rule) => {
    const derived = derivative(program, rule);
    const plan = compile(derived, varying(derived));
    expect(kindsOf(plan.run)).not.toContain('sort');
    expect(plan.prepare.flatMap((step) => (step.kind === 'sort' ? [step.bound] : []))).toEqual(['bins + 1']);
    expect(kindsOf(compile(derived).run)).toContain('sort');
  });

  test.each(rules.slice(0, 2))(
    '%s runs over the elements twice, and asks beforehand which have others before them',
    (rule) => {
      const derived = derivative(program, rule);
      const plan = compile(derived, varying(derived));
      expect(kindsOf([...plan.prepare, ...plan.run])).not.toContain('sort');
      expect(kindsOf(plan.run).filter((kind) => kind === 'keyed-scan')).toHaveLength(2);
    },
  );

  test('histogram-structured is two passes and nothing else: the maps are taken in', () => {
    const derived = derivative(program, 'histogram-structured');
    expect(kindsOf(compile(derived, varying(derived)).run)).toEqual(['keyed-scan', 'keyed-scan']);
  });
});

test.each([
  ['cpu', 50_000, 'histogram-structured'],
  ['webgpu', 401, 'histogram-structured'],
  ['webgpu', 50_000, 'histogram-sorted-general'],
  ['webgpu', 'bins', 'histogram-sorted-general'],
] as const)('on the device %s, for %s bins, the rule is %s', (device, bins, rule) => {
  const chosen: string[] = [];
  const program = histogramOf(operators[0]!, bins);
  vjp(program, { profile: profiles[device], onChoice: (_, choice) => chosen.push(choice.rule.name) });
  expect(chosen).toEqual([rule]);
});

test('what is out of range has an adjoint of exactly zero, whatever comes back to the bins', () => {
  const program = histogramOf(operators[0]!, 3);
  for (const rule of rules) {
    const inputs = new Map([
      ['keys', [-1, 0, 3, 0]],
      ['x0', [0.1, 0.2, 0.3, 0.4]],
      ['cotangent of y0', [1, Infinity, NaN]],
    ]);
    const found = runOnCpu(compile(derivative(program, rule)), inputs, { n: 4 });
    expect(found['adjoint of x0'], rule).toEqual([0, 1, 0, 1]);
  }
});

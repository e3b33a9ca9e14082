/** Rates that have no value below 0, of states that begin there: stages of a step of high order go below it however short it is. */
import { it } from 'vitest';
import { constant, documentOf, expectClose, json, parameter, written } from '../../../support/command-line.ts';

/** aₖ = tᵏ/k!, and y′ = a₉ⁿ. */
const length = 9;
const cascade = Object.fromEntries(
  Array.from({ length }, (_, i) => [`a${i + 1}`, { initial: 0, rate: i === 0 ? '1' : `a${i}` }]),
);
const factorial = 362880;

it.each(['explicit', 'stiff'])('the end of a cascade to a power, %s', async (method) => {
  const end = 3;
  const path = written(
    documentOf([
      parameter('n', 1.3),
      constant('t', [end]),
      { id: 'x', kind: 'ode', times: 't', from: 0, method, state: { ...cascade, y: { initial: 0, rate: 'a9^n' } } },
      { id: 'last', kind: 'reduce', operator: 'add', values: 'x.y' },
    ]),
  );
  const { value, adjoints } = (await json('differentiate', path, '--of', 'last')) as {
    value: number;
    adjoints: { n: number };
  };
  const closed = (n: number): number => end ** (length * n + 1) / factorial ** n / (length * n + 1);
  expectClose(value, closed(1.3), 1e-6);
  expectClose(adjoints.n, (closed(1.3 + 1e-5) - closed(1.3 - 1e-5)) / 2e-5, 1e-5);
});

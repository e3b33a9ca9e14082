/** Shares of those that were tried, as probabilities: quantal answers. */
import { aboveZero, all, exponent, fromZero, place, positive, share } from '../parameters.ts';
import type { DataRange, Shape, ShapeParameter } from '../shape.ts';

const finney = 'Finney, Probit Analysis, 3rd ed., Cambridge 1971';
/** A slope of either sign, per unit of x. */
const steepness: ShapeParameter = {
  meaning: 'slope of the log odds',
  unit: '1/x',
  start: ({ span }: DataRange) => ({ low: -40 / span, high: 40 / span, log: false }),
};
const middle = place('where half of them answer');
const dose = positive('dose at which half of them answer', 'x', ({ least, high }) => [least / 5, 5 * high]);
const onLog = exponent('slope over log dose', 0.2, 15);
const spread = positive('standard deviation of the thresholds', 'x', ({ span }) => [span / 60, 2 * span]);
const rises = ({ trend }: DataRange): boolean => trend > -0.2;
const falls = ({ trend }: DataRange): boolean => trend < 0.2;

export const proportions: readonly Shape[] = [
  {
    name: 'logit',
    title: 'Logistic regression',
    field: 'dose-response',
    formula: 'logistic(s*(x - x50))',
    parameters: { s: steepness, x50: middle },
    proportion: true,
    use: 'How many of those that were tried answer, over x as it is: ages, temperatures, log doses.',
    reference: 'Cox, J. R. Stat. Soc. B 20 (1958) 215',
  },
  {
    name: 'log-logit',
    title: 'Logistic regression on log dose',
    field: 'dose-response',
    formula: '1/(1 + (LD50/x)^s)',
    parameters: { LD50: dose, s: onLog },
    proportion: true,
    suits: all(fromZero, rises),
    use: 'How many answer to a dose: LD50, ED50.',
    reference: 'Berkson, J. Am. Stat. Assoc. 39 (1944) 357',
  },
  {
    name: 'log-logit-survival',
    title: 'Survivors on log dose',
    field: 'dose-response',
    formula: '1/(1 + (x/LD50)^s)',
    parameters: { LD50: dose, s: onLog },
    proportion: true,
    suits: all(fromZero, falls),
    use: 'How many are left at a dose.',
    reference: 'Berkson, J. Am. Stat. Assoc. 39 (1944) 357',
  },
  {
    name: 'probit',
    title: 'Probit',
    field: 'dose-response',
    formula: 'erfc((m - x)/(sd*sqrt(2)))/2',
    parameters: { m: place('mean of the thresholds'), sd: spread },
    proportion: true,
    suits: rises,
    use: 'Thresholds that are normally distributed, over x as it is: psychometric curves, ages.',
    reference: finney,
  },
  {
    name: 'log-probit',
    title: 'Probit on log dose',
    field: 'dose-response',
    formula: 'erfc(log(LD50/x)/(sd*sqrt(2)))/2',
    parameters: { LD50: dose, sd: exponent('standard deviation of the log thresholds', 0.05, 5) },
    proportion: true,
    suits: all(aboveZero, rises),
    use: 'Thresholds that are log-normally distributed.',
    reference: finney,
  },
  {
    name: 'complementary-log-log',
    title: 'Complementary log-log',
    field: 'dose-response',
    formula: '-expm1(-(x/x63)^k)',
    parameters: { x63: positive('where 63 % answer', 'x', ({ least, high }) => [least / 5, 5 * high]), k: onLog },
    proportion: true,
    suits: all(fromZero, rises),
    use: 'One hit is enough: dilution assays, germination, time to infection.',
    reference: 'Fisher, Philos. Trans. R. Soc. A 222 (1922) 309',
  },
  {
    name: 'log-logit-with-background',
    title: 'Logistic regression on log dose, with a background',
    field: 'dose-response',
    formula: 'c + (1 - c)/(1 + (LD50/x)^s)',
    parameters: { c: share('share that answers without a dose'), LD50: dose, s: onLog },
    proportion: true,
    suits: all(fromZero, rises, ({ places }) => places > 4),
    use: 'Where some answer without any dose: Abbott’s correction.',
    reference: 'Abbott, J. Econ. Entomol. 18 (1925) 265',
  },
];

/** Σ r², Σ (r/sigma)² or Σ weights·r² with r = prediction − observed; a missing observation is left out. */
import * as v from 'valibot';
import { realLiteral, type ScalarOperand, type Value } from '../../engine/index.ts';
import { lossNames } from '../facts/families.ts';
import { common, number, oneOf, ref, refOrNumber, strict } from '../notation/fields.ts';
import { toNumber } from '../notation/numbers.ts';
import { expression, type Expression } from '../objective/expression.ts';
import { drawNormal, normalInformation } from '../objective/families/normal.ts';
import { lossResidual, lossValue, type Loss } from '../objective/losses.ts';
import { counted, sampledTerm, whole } from '../objective/sampled.ts';
import { countObserved, flatten, sumAll, whereObserved } from '../objective/sums.ts';
import type { Again } from '../objective/term.ts';
import { argumentOutput, argumentValue, argumentWires } from './parts/arguments.ts';
import { asReal, wantNumber } from './parts/convert.ts';
import { blockKind, type LowerContext, type Sizes } from './kind.ts';
import { disagreement } from './parts/disagreement.ts';
import { checkObserved, compareUnits, wantPositive } from './parts/observed.ts';
import { broadcastSizes } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('least-squares'),
  ...common,
  prediction: ref,
  observed: ref,
  sigma: v.exactOptional(refOrNumber),
  weights: v.exactOptional(refOrNumber),
  loss: v.exactOptional(strict({ kind: oneOf(lossNames), scale: v.exactOptional(number) })),
});

export type LeastSquaresBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly sizes: Sizes;
  readonly loss: Loss;
  /** What divides or weighs the residuals. */
  readonly measure: 'sigma' | 'weights' | undefined;
  /** Weights that are data: what has none counts for nothing, whatever is predicted there. */
  readonly weighsByData: boolean;
}

export const leastSquares = blockKind<LeastSquaresBlock, Detail>({
  kind: 'least-squares',
  schema,
  wires: (block) => [
    { port: 'prediction', ref: block.prediction },
    { port: 'observed', ref: block.observed },
    ...argumentWires(block, ['sigma', 'weights']),
  ],

  infer(block, context) {
    if (block.sigma !== undefined && block.weights !== undefined)
      return context.fail('takes "sigma" or "weights", not both', { port: 'weights' });
    const measure = block.sigma !== undefined ? 'sigma' : block.weights !== undefined ? 'weights' : undefined;
    const names = ['prediction', 'observed', ...(measure ? [measure] : [])];
    const inputs = names.map((name) => wantNumber(context, name, argumentOutput(block, context, name)));
    const known = inputs.filter((input) => input !== undefined);
    if (known.length < names.length) return undefined;
    const [prediction, observed, spread] = known;
    if (!prediction || !observed) return undefined;
    const sizes = broadcastSizes(known.map((input) => input.sizes));
    if (!sizes) return context.fail(...disagreement(names, known));
    if (measure && spread && !wantPositive(context, measure, spread, measure === 'weights')) return undefined;
    if (measure && spread?.computed)
      context.warn(`"${measure}" depends on a parameter: a fit shrinks the sum of squares by it`, {
        port: measure,
        fix: 'a likelihood block of the family "normal" weighs it with the noise',
      });
    if (!checkObserved(context, observed, 'number')) return undefined;
    compareUnits(context, prediction, observed);
    const scale = toNumber(block.loss?.scale ?? 1);
    if (!(scale > 0 && scale < Infinity))
      return context.fail(`"scale" of the loss wants a number above 0, got ${scale}`, { port: 'loss' });
    const computed = known.some((input) => input.computed);
    const weighsByData = measure === 'weights' && spread?.computed === false;
    const detail: Detail = { sizes, loss: { kind: block.loss?.kind ?? 'squares', scale }, measure, weighsByData };
    return { outputs: [{ name: '', element: 'real', sizes: [], computed }], detail };
  },

  lower: (block, detail, context) => [sumAll(context.builder, elementwise(block, detail, context, squared))],

  objective(block, detail, context) {
    const b = context.builder;
    const residuals = flatten(b, elementwise(block, detail, context, residual));
    const logWeights = detail.measure === 'weights' ? { logWeights: weighed(block, detail, context, logWeight) } : {};
    const { observed, others } = operands(block, detail, context);
    const term = {
      ...{ kind: 'least-squares' as const, residuals, rows: rows(block, detail, context), ...logWeights },
      observed: () => flatten(b, whole(b, observed, context.shape(detail.sizes))),
    };
    if (detail.measure !== 'sigma') return term;
    return {
      ...term,
      minusLog: sumAll(b, elementwise(block, detail, context, minusLog)),
      sampled: () =>
        sampledTerm(b, context.shape(detail.sizes), {
          observed,
          arguments: others,
          ...(!block.loss && {
            draw: drawNormal,
            noise: 1,
            information: (again?: Again) =>
              normalInformation.map(({ by, write }) => ({
                by,
                value: whereObserved(
                  b,
                  observed,
                  held(others, again),
                  context.shape(detail.sizes),
                  (builder, _, ...args) => write(expression(builder), ...args),
                ),
              })),
          }),
          minusLog: (again) => sumAll(b, counted(b, elementwise(block, detail, context, minusLog, again), again)),
        }),
    };
  },
});

/** How many rows say something of the noise: those observed, of a weight that is not 0. */
function rows(block: LeastSquaresBlock, detail: Detail, context: LowerContext): Value {
  const b = context.builder;
  const { sizes, measure } = detail;
  const [observed, shape] = [asReal(b, context.input('observed')), context.shape(sizes)];
  if (measure !== 'weights') return countObserved(b, observed, shape);
  return weighed(block, detail, context, () => realLiteral(1));
}

const logWeight = (s: Expression, weight: ScalarOperand): ScalarOperand => s.apply('log', weight);

/** The sum over the rows that were observed, of a weight that is not 0. */
function weighed(
  block: LeastSquaresBlock,
  { sizes }: Detail,
  context: LowerContext,
  of: (s: Expression, weight: ScalarOperand) => ScalarOperand,
): Value {
  const b = context.builder;
  const [observed, weights] = [
    asReal(b, context.input('observed')),
    asReal(b, argumentValue(block, context, 'weights')),
  ];
  const each = whereObserved(b, observed, [weights], context.shape(sizes), (builder, _, weight) => {
    const s = expression(builder);
    return whereWeighed(s, weight, () => of(s, weight));
  });
  return sumAll(b, each);
}

/** 0 of a weight of 0. */
const whereWeighed = (s: Expression, weight: ScalarOperand, write: () => ScalarOperand): ScalarOperand =>
  s.choose(s.apply('eq', weight, realLiteral(0)), () => realLiteral(0), write);

type Write = (s: Expression, detail: Detail, r: ScalarOperand, measure: ScalarOperand) => ScalarOperand;

const squared: Write = (s, { loss, measure: kind }, r, measure) => {
  if (kind === 'weights') return lossValue(s, loss, s.multiply(measure, r, r));
  const u = kind === 'sigma' ? s.divide(r, measure) : r;
  return lossValue(s, loss, s.multiply(u, u));
};

const residual: Write = (s, { loss, measure: kind }, r, measure) => {
  const u = kind === 'sigma' ? s.divide(r, measure) : kind === 'weights' ? s.multiply(s.apply('sqrt', measure), r) : r;
  return lossResidual(s, loss, u);
};

/** ½ρ(r/sigma) + log sigma + ½ log 2π */
const minusLog: Write = (s, detail, r, sigma) => {
  const constant = realLiteral(0.5 * Math.log(2 * Math.PI));
  return s.add(s.multiply(realLiteral(0.5), squared(s, detail, r, sigma)), s.apply('log', sigma), constant);
};

function operands(block: LeastSquaresBlock, { measure }: Detail, context: LowerContext) {
  const b = context.builder;
  return {
    observed: asReal(b, context.input('observed')),
    others: [
      asReal(b, context.input('prediction')),
      ...(measure ? [asReal(b, argumentValue(block, context, measure))] : []),
    ],
  };
}

const held = (others: readonly Value[], again?: Again): readonly Value[] =>
  again?.noise ? [others[0]!, again.noise] : others;

function elementwise(
  block: LeastSquaresBlock,
  detail: Detail,
  context: LowerContext,
  write: Write,
  again: Again = {},
): Value {
  const { observed, others } = operands(block, detail, context);
  return whereObserved(
    context.builder,
    again.observed ?? observed,
    held(others, again),
    context.shape(detail.sizes),
    (builder, y, p, measure) => {
      const s = expression(builder);
      const written = (): ScalarOperand => write(s, detail, s.subtract(p, y), measure ?? realLiteral(1));
      return detail.weighsByData && measure ? whereWeighed(s, measure, written) : written();
    },
  );
}

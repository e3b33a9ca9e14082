/** Quantities by profile: each held in turn where it is one of parameters alone (quantity-held.ts), and how its ends read. */
import { withoutDeadCode } from '../../1-optimize/dead-code.ts';
import type { Device } from '../../5-runtime/device.ts';
import { cholesky, choleskySolve } from '../../6-fit/algebra/cholesky.ts';
import { dot } from '../../6-fit/algebra/vectors.ts';
import { coordinateSlopes, startingPoint } from '../../6-fit/coordinates.ts';
import { batchedLinearisation, batchedQuadratic } from '../../6-fit/ensembles/batched-objective.ts';
import { aroundInfinity, short } from '../../6-fit/report/verdict.ts';
import { applied } from '../../6-fit/symmetry.ts';
import { exchangesOf } from './exchanges.ts';
import { criticalValue, type Fitted, type StoredFit } from './fitted.ts';
import type { MethodOptions } from './problem.ts';
import { rootOf } from './profile-others.ts';
import { followSides, type End } from './profile-sides.ts';
import { readsEffects } from './quantity-at-fit.ts';
import { answeringBoth, heldQuantity, knownAt, type WithQuantities } from './quantity-held.ts';
import {
  intervalOf,
  linearised,
  withNote,
  type AtFit,
  type QuantityInterval,
  type QuantityModel,
} from './quantity-interval.ts';
import { acrossRegion, besideFit } from './quantity-moves.ts';
import { linesOf } from './slopes.ts';

export async function profiled(
  fitted: Fitted,
  model: QuantityModel,
  known: readonly AtFit[],
  device: Device,
  options: Pick<MethodOptions, 'level' | 'cancel'>,
): Promise<QuantityInterval[]> {
  const { problem, all } = fitted;
  const energy = await (problem.residuals.length > 0 ? batchedLinearisation : batchedQuadratic)(
    problem,
    device,
    all,
    options.cancel,
  );
  const both = answeringBoth(energy, await linesOf(fitted, ofParameters(fitted, model), device, options.cancel));
  const own = [...known.keys()].filter((index) => !known[index]!.ofEffects);
  const followed = own.filter((index) => {
    const { why, constant, flat } = known[index]!;
    return why === undefined && !constant && !flat?.jumps;
  });
  try {
    const scales = await scalesOf(fitted, known, device);
    const exchanges = await exchangesOf(fitted, device, options.cancel);
    const images = exchanges.map((symmetry) => applied(symmetry, fitted.point));
    const region = followed.length > 0 ? acrossRegion(fitted, criticalValue(fitted, options.level)) : [];
    const across = await knownAt(region, both);
    const [begun] = followed.length > 0 ? await knownAt([startingPoint(all)], both) : [];
    const held = followed.map((index) => {
      const { value, standardError, flat, atEdge } = known[index]!;
      const about = flat ? besideFit(fitted, flat) : [];
      const [scale, row] = [scales[index]!, own.indexOf(index)];
      const elsewhere = across.map(({ energy: found, values, point }) => {
        return { u: values[row]!, root: rootOf(fitted, { scale }, found), energy: found, point };
      });
      return [
        all.length + index,
        heldQuantity(fitted, {
          ...{ index: row, value, scale, images: [...images, ...about], elsewhere },
          standardError: flat
            ? Math.max(...flat.moves) / 2
            : atEdge
              ? AT_EDGE * Math.abs(begun!.values[row]!)
              : standardError,
        }),
      ] as const;
    });
    const sides = await followSides<WithQuantities>(fitted, new Map(held), both.at, options);
    return known.map((each, index) => {
      const [below, above] = sides[followed.indexOf(index)] ?? [];
      if (below && above) return sidesInterval(each, below, above);
      const interval = linearised(fitted, each, options.level);
      // Held, it would be one of the parameters alone.
      return each.ofEffects ? withNote(interval, 'by the covariance, for its effects are integrated out') : interval;
    });
  } finally {
    both.release();
  }
}

/** Of its value at the start: a step of what has come to its edge, as of a share that is 0, whose slope there tells nothing. */
const AT_EDGE = 0.1;

/** The model of those quantities that no random effect moves. */
function ofParameters(fitted: Fitted<StoredFit>, model: QuantityModel): QuantityModel {
  const told = model.program.results.filter(({ name }) => !readsEffects(fitted, model.reads.get(name)!));
  if (told.length === model.program.results.length) return model;
  const program = withoutDeadCode({ ...model.program, results: told });
  const read = new Set(told.flatMap(({ name }) => [...model.reads.get(name)!]));
  const parameters = program.parameters.filter(({ name }) => read.has(name));
  const data = new Map([...model.data].filter(([name]) => read.has(name)));
  return { ...model, program: { ...program, parameters }, data };
}

/**
 * By what a rise of the energy is multiplied to be τ². Of a robust loss, whose covariance C is no inverse of the curvature H:
 * E rises by Δq²/(2·∇qᵀH⁻¹∇q), and τ is Δq in units of √(∇qᵀC∇q) (Kent 1982, DOI 10.1093/biomet/69.1.19).
 */
async function scalesOf(fitted: Fitted, known: readonly AtFit[], device: Device): Promise<number[]> {
  const { problem, all, point, variance } = fitted;
  if (problem.residuals.length === 0) return known.map(() => 2);
  if (!problem.robust) return known.map(() => 1 / variance);
  const quadratic = await batchedQuadratic(problem, device, all);
  const [found] = await quadratic.at([point]).finally(quadratic.release);
  const factor = found && cholesky(found.hessian);
  return known.map(({ gradient, standardError, flat }) => {
    // Where it has no slope, as the element that moves it furthest.
    const furthest = flat && flat.moves.indexOf(Math.max(...flat.moves));
    const along = furthest === undefined ? gradient : gradient.map((_, j) => (j === furthest ? 1 : 0));
    const slopes = along.map((g, j) => g * coordinateSlopes(all[j]!, point[j]!)[0]);
    const spread = factor ? dot(slopes, choleskySolve(factor, slopes)) : NaN;
    return (2 * spread) / (furthest === undefined ? standardError : fitted.errors[furthest]!) ** 2;
  });
}

/** Of the distance from the fit: an end of a range that is so near 0 is 0. */
const NEAR_ZERO = 1e-3;

function sidesInterval({ why: _, ...known }: AtFit, below: End, above: End): QuantityInterval {
  const width = above.u - below.u;
  // From its edge the fit is no distance but rounding.
  const far = (u: number): number => (known.atEdge ? 0 : Math.abs(known.value - u)) || width;
  const endOf = ({ u, kind }: End): number => (kind === 'bound' && Math.abs(u) <= NEAR_ZERO * far(u) ? 0 : u);
  const [lower, upper] = [endOf(below), endOf(above)];
  const ends = [below.kind, above.kind];
  const why = ends.includes('edge')
    ? 'the model has no value before the data exclude one'
    : ends.includes('jump')
      ? 'the objective jumps where it should cross the limit, and such an end is not known'
      : undefined;
  const interval = intervalOf({ ...known, lower, upper, why });
  const [around] = [below, above].flatMap((end) => end.around ?? []);
  if (around !== undefined && (lower > around || upper < around))
    return { ...interval, verdict: aroundInfinity(interval.verdict, around) };
  // Of one that stays where it is, all that it can be is one value.
  if (!ends.includes('bound') || lower === upper) return interval;
  if (ends.every((kind) => kind === 'bound' || kind === 'infinite'))
    return {
      ...interval,
      verdict: { status: 'none', reason: 'not determined: no value that it can take is excluded' },
    };
  const [side, end] = below.kind === 'bound' ? ['down to the least', lower] : ['up to the most', upper];
  const reason = `not excluded ${side} that it can be, ${short(end)}`;
  return { ...interval, verdict: { status: 'one-sided', reason } };
}

/**
 * How observations lie about a fitted model with random effects: predictions with the effects at 0 and at their modes,
 * conditional residuals, and what was observed beside data sets that are drawn from the model, effects and noise anew.
 */
import {
  type CheckedBin,
  conditionalResiduals,
  type Device,
  effectModes,
  type EffectSlopes,
  type Instance,
  jvp,
  predictionErrors,
  type Random,
  randomFrom,
  rowsTogether,
  tangentName,
  visualCheck,
} from '../../../engine/index.ts';
import type { LeastSquaresBlock } from '../../../models/blocks/least-squares.ts';
import { argumentsOf as ofLikelihood, type LikelihoodBlock } from '../../../models/blocks/likelihood.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel, type Lowered } from '../../../models/lower/lower.ts';
import { withStandardEffects } from '../../../models/lower/standard-effects.ts';
import { families } from '../../../models/objective/families.ts';
import { drawNormal } from '../../../models/objective/families/normal.ts';
import type { Draw } from '../../../models/objective/term.ts';
import type { Drawing } from '../../../models/plots/drawing.ts';
import { drawingsOf } from '../../../models/plots/drawings.ts';
import type { FitReport } from '../../contract/contract.ts';
import { Refused } from '../../refused.ts';
import { argumentsOf, limitedAt, type Arguments } from './arguments.ts';
import { linksOf } from './plots.ts';
import { fittedValues } from '../fit/fitted.ts';
import { problemOf } from '../fit/fit.ts';
import { startInstance, writeParameters, type ParameterValues } from '../running/run.ts';

export interface Diagnosed {
  /** The block of misfit. */
  readonly of: string;
  readonly x: { readonly id: string | null; readonly values: readonly number[] };
  readonly observed: readonly number[];
  /** What is expected with the effects at 0, and at their modes. */
  readonly population: readonly number[];
  readonly individual: readonly number[];
  /** (observed − individual) over the noise there. */
  readonly individualResiduals: readonly number[];
  /** Of normal noise. */
  readonly conditionalResiduals?: readonly number[];
  /** Of what can be drawn again and is no count. */
  readonly predictionErrors?: readonly number[];
  /** Of what can be drawn again. */
  readonly check?: readonly CheckedBin[];
  /** How many of the data sets that were drawn have somewhere no value, as a mean of counts below 0: they count nowhere. */
  readonly withoutValue?: number;
}

/** How the drawing of data sets is heard and ended. */
export interface Drawn {
  /** Throws `Cancelled` once word 0 is not 0. */
  readonly cancel?: Int32Array | undefined;
  /** With the share of them that are drawn, before each. */
  readonly onProgress?: (share: number) => void;
}

export interface DiagnoseOptions extends Drawn {
  readonly samples: number;
  readonly seed: number;
  readonly level: number;
  /** Of rows whose groups cross there is one covariance: with Σ n³ above this nothing is made of it. */
  readonly mostCovariance?: number;
}

/** Numbers that draws may hold in all. */
const MOST_DRAWN = 2e7;

/** At a fit of this model. Throws `Refused` where it has no random effects that were integrated out. */
export async function effectDiagnostics(
  model: Model,
  device: Device,
  fit: Pick<FitReport, 'estimates' | 'random'>,
  { samples, seed, level, mostCovariance = Infinity, cancel, onProgress }: DiagnoseOptions,
): Promise<Diagnosed[]> {
  const fitted = fittedValues({ estimates: fit.estimates });
  const problem = await problemOf(model, device, fitted);
  if (!problem.effects)
    throw new Refused('the model has no random effects that are integrated out: there is nothing conditional to tell');
  const modes = await effectModes(problem, device);
  if ('why' in modes) throw new Refused(`the effects have no modes at the fit: ${modes.why}`);
  const drawings = diagnosedDrawings(model);
  const rows = drawings.reduce((sum, { values }) => sum + values.length, 0);
  if (rows * samples > MOST_DRAWN)
    throw new Refused(
      `${samples} draws of ${rows} observations are ${rows * samples} numbers, and ${MOST_DRAWN} are the most`,
    );
  const runs = await openRuns(withStandardEffects(model), device, drawings, {
    fitted,
    effects: [...modes.values.keys()],
    cancel,
  });
  try {
    const atModes = Object.fromEntries([...modes.values].map(([id, w]) => [id, [...w]]));
    const atZero = Object.fromEntries([...modes.values].map(([id, w]) => [id, [...w].map(() => 0)]));
    const [middle, individual] = [await runs.at(atZero), await runs.at(atModes)];
    const slopes = await runs.slopes(atModes);
    const random = randomFrom(seed);
    const drawn = drawings.map((): Float64Array[] => []);
    const draws = drawings.map((drawing) => drawOf(blockOf(model, drawing)));
    if (draws.some((draw) => draw !== undefined))
      for (let k = 0; k < samples; k++) {
        onProgress?.(k / samples);
        const effects = Object.fromEntries(
          [...modes.values].map(([id, w]) => [id, Array.from(w, () => random.normal())]),
        );
        const found = await runs.at(effects);
        draws.forEach((draw, i) => draw && drawn[i]?.push(drawnRows(draw, found[i]!, random)));
      }
    return drawings.map((drawing, i) =>
      diagnosed(drawing, {
        ...{ middle: middle[i]!, individual: individual[i]!, level, mostCovariance },
        slopes: slopes[i]!,
        modes: [...modes.values.values()],
        drawn: draws[i] && drawn[i]!,
      }),
    );
  } finally {
    runs.release();
  }
}

/** What is diagnosed, in its order. */
export const diagnosedDrawings = (model: Model): Drawing[] =>
  drawingsOf(model).filter(({ kind, sample }) => kind === 'comparison' && !sample);

const blockOf = (model: Model, { comparison }: Drawing): LeastSquaresBlock | LikelihoodBlock =>
  model.blocks.get(comparison.of)?.node.block as LeastSquaresBlock | LikelihoodBlock;

/** Undefined where nobody can draw such an observation, or not all of it was seen. */
function drawOf(block: LeastSquaresBlock | LikelihoodBlock): Draw | undefined {
  if (block.kind === 'least-squares')
    return block.loss === undefined && block.sigma !== undefined ? drawNormal : undefined;
  const whole = block.censored === undefined && block.truncated === undefined;
  return whole && ofLikelihood(block).spelling === undefined ? families[block.family].draw : undefined;
}

interface Seen {
  readonly observed: ArrayLike<number>;
  readonly given: Arguments;
  /** Whether a limit alone is known of a row's observation. */
  readonly isLimited: (row: number, y: number) => boolean;
}

interface Runs {
  /** What comes to each comparison with these effects. */
  at(effects: ParameterValues): Promise<Seen[]>;
  /** Of each comparison, by effect: ∂prediction/∂w of a row's own group, and which that is. */
  slopes(effects: ParameterValues): Promise<EffectSlopes[][]>;
  release(): void;
}

async function openRuns(
  model: Model,
  device: Device,
  drawings: readonly Drawing[],
  {
    fitted,
    effects,
    cancel,
  }: { readonly fitted: ParameterValues; readonly effects: readonly string[] } & Pick<Drawn, 'cancel'>,
): Promise<Runs> {
  const lowered = lowerModel(model, { links: linksOf(drawings), sources: effects });
  const instance = await startInstance(device, lowered);
  const of = drawings.map(({ comparison: { measure } }, i) => {
    const name = `argument ${measure.arguments.indexOf(measure.prediction)} ${i}`;
    return lowered.program.results.some((result) => result.name === name) ? name : undefined;
  });
  return {
    async at(values) {
      writeParameters(instance, lowered, { ...fitted, ...values });
      await instance.run(cancel ? { cancel } : {});
      const found = new Map<string, ArrayLike<number>>();
      for (const { name } of lowered.program.results) found.set(name, await instance.read(name));
      return drawings.map((drawing, i) => {
        const read = (name: string) => found.get(`${name} ${i}`) ?? [];
        const limited = limitedAt(drawing, read);
        return {
          observed: read('observed'),
          given: argumentsOf(drawing, read),
          isLimited: (row, y) => limited(row, y) !== undefined,
        };
      });
    },
    slopes: (values) => slopesOf(device, lowered, { of, effects, values: { ...fitted, ...values } }),
    release: () => instance.release(),
  };
}

interface SlopesAsked {
  readonly of: readonly (string | undefined)[];
  readonly effects: readonly string[];
  readonly values: ParameterValues;
}

/**
 * A row depends on one group of each effect: with the direction 1 in all groups its tangent is ∂f/∂w_g, and with g + 1
 * in group g it is g + 1 times that.
 */
async function slopesOf(
  device: Device,
  lowered: Lowered,
  { of, effects, values }: SlopesAsked,
): Promise<EffectSlopes[][]> {
  const names = of.filter((name) => name !== undefined);
  const program = jvp(lowered.program, { by: [...effects], of: names });
  const instance = await startInstance(device, lowered, program);
  try {
    writeParameters(instance, lowered, values);
    const found = of.map((): EffectSlopes[] => []);
    for (const effect of effects) {
      const tangents = async (direction: (g: number) => number) =>
        tangentsAlong(instance, { effects, effect, values, names }, direction);
      const [ones, numbered] = [await tangents(() => 1), await tangents((g) => g + 1)];
      of.forEach((name, i) => {
        const slopes = ones.get(name ?? '') ?? new Float64Array();
        const groups = Int32Array.from(slopes, (slope, row) =>
          slope === 0 ? -1 : Math.round(numbered.get(name ?? '')![row]! / slope) - 1,
        );
        found[i]?.push({ slopes, groups });
      });
    }
    return found;
  } finally {
    instance.release();
  }
}

async function tangentsAlong(
  instance: Instance,
  {
    effects,
    effect,
    values,
    names,
  }: Omit<SlopesAsked, 'of'> & { readonly effect: string; readonly names: readonly string[] },
  direction: (g: number) => number,
): Promise<Map<string, Float64Array>> {
  for (const id of effects)
    instance.write(
      tangentName(id),
      (values[id] as readonly number[]).map((_, g) => (id === effect ? direction(g) : 0)),
    );
  await instance.run();
  const found = new Map<string, Float64Array>();
  for (const name of names) found.set(name, Float64Array.from(await instance.read(tangentName(name))));
  return found;
}

interface Known {
  readonly middle: Seen;
  readonly individual: Seen;
  readonly slopes: readonly EffectSlopes[];
  readonly modes: readonly Float64Array[];
  readonly drawn: readonly Float64Array[] | undefined;
  readonly level: number;
  readonly mostCovariance: number;
}

function diagnosed(
  drawing: Drawing,
  { middle, individual, slopes, modes, drawn, level, mostCovariance }: Known,
): Diagnosed {
  const { comparison, x, values: places } = drawing;
  const { measure } = comparison;
  const observed = Array.from(individual.observed);
  const expected = ({ given }: Seen): number[] => observed.map((_, row) => measure.expected(...given.valuesAt(row)));
  // On the scale on which noise is normal, that of the prediction.
  const to = measure.scale?.to ?? ((y: number) => y);
  const at = measure.arguments.indexOf(measure.prediction);
  const deviations = observed.map((_, row) => measure.deviation(...individual.given.valuesAt(row)));
  // Of a limit there is no distance: its row is left out of the covariances too.
  const distances = observed.map((y, row) => {
    if (individual.isLimited(row, y)) return NaN;
    const values = individual.given.valuesAt(row);
    return to(y) - (measure.scale ? values[at]! : measure.expected(...values));
  });
  const linear = Float64Array.from(distances, (distance, row) =>
    slopes.reduce(
      (sum, { slopes, groups }, k) => sum + (slopes[row] ?? 0) * (modes[k]?.[groups[row] ?? -1] ?? 0),
      distance,
    ),
  );
  const together = rowsTogether(slopes, observed.length);
  // A row without an expectation at the modes has none that could be drawn, and is no data set's fault.
  const known = expected(individual).flatMap((value, row) => (Number.isFinite(value + observed[row]!) ? [row] : []));
  const able = drawn?.filter((draw) => known.every((row) => Number.isFinite(draw[row])));
  const isWhole = together.reduce((sum, rows) => sum + rows.length ** 3, 0) <= mostCovariance;
  const isNormal = measure.distribution === 'normal';
  const isCount = !isNormal && (measure.distribution as { readonly counts?: boolean }).counts === true;
  return {
    ...{ of: comparison.of, x: { id: x.id, values: Array.from(places) }, observed },
    ...{ population: expected(middle), individual: expected(individual) },
    individualResiduals: distances.map((distance, row) => distance / deviations[row]!),
    ...(isNormal &&
      isWhole && {
        conditionalResiduals: Array.from(
          conditionalResiduals({
            distances: linear,
            variances: Float64Array.from(deviations, (s) => s * s),
            effects: slopes,
          }),
        ),
      }),
    ...(able && !isCount && isWhole && { predictionErrors: Array.from(predictionErrors(observed, able, together)) }),
    ...(drawn && able && able.length < drawn.length && { withoutValue: drawn.length - able.length }),
    ...(able && able.length > 0 && { check: visualCheck(places, observed, able, level) }),
  };
}

const drawnRows = (draw: Draw, { observed, given }: Seen, random: Random): Float64Array =>
  Float64Array.from(observed, (_, row) => draw(random, ...given.valuesAt(row)));

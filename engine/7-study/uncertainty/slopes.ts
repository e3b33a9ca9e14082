/** Results of a program beside the fit's own, with their gradients by the parameters of the fit. */
import type { Device } from '../../5-runtime/device.ts';
import { coordinates, coordinateSlopes } from '../../6-fit/coordinates.ts';
import { batched, type Batched } from '../../6-fit/ensembles/batched-objective.ts';
import type { Linearisation } from '../../6-fit/expansion.ts';
import type { FitProblem } from '../../6-fit/problem.ts';
import { linearisationOf } from '../../6-fit/questions.ts';
import type { BandModel } from './bands.ts';
import type { Fitted, StoredFit } from './fitted.ts';

/** The program's results in place of the problem's, by those of its parameters that they read. */
export function asked({ problem }: Pick<Fitted<StoredFit>, 'problem'>, model: BandModel): FitProblem {
  const read = new Set(model.program.parameters.map(({ name }) => name));
  return {
    ...problem,
    ...{ program: model.program, data: model.data, sizes: model.sizes },
    residuals: model.program.results.map(({ name }) => name),
    parameters: problem.parameters.filter(({ name }) => read.has(name)),
  };
}

/** At points of the fit's coordinates: all results, one row for each element, and the columns of their Jacobian. */
export function linesOf(
  fitted: Fitted<StoredFit>,
  model: BandModel,
  device: Device,
  cancel?: Int32Array,
): Promise<Batched<Float64Array, Linearisation>> {
  const problem = asked(fitted, model);
  const own = coordinates(problem.parameters);
  const places = fitted.all.map((coordinate) =>
    own.findIndex(
      ({ parameter, element }) => parameter.name === coordinate.parameter.name && element === coordinate.element,
    ),
  );
  const used = fitted.all.flatMap((_, j) => (places[j]! >= 0 ? [j] : []));
  const question = linearisationOf(problem, own);
  const ownPoint = (u: Float64Array): Float64Array => Float64Array.from(used, (j) => u[j]!);
  return batched<Float64Array, Linearisation>(
    {
      ...question,
      write: (u, into, at) => question.write(ownPoint(u), into, at),
      read(result, u) {
        const { residuals, jacobian } = question.read(result, ownPoint(u));
        const none = new Float64Array(residuals.length);
        return { residuals, jacobian: places.map((place) => jacobian[place] ?? none) };
      },
    },
    problem,
    device,
    cancel,
  );
}

export interface Slopes {
  /** Of all results, one after the other. */
  readonly values: Float64Array;
  /** Of each by the parameters' own values. */
  readonly gradients: readonly Float64Array[];
}

/** At the fit. */
export async function slopesAtFit(fitted: Fitted<StoredFit>, model: BandModel, device: Device): Promise<Slopes> {
  const lines = await linesOf(fitted, model, device);
  return slopesFrom(fitted, lines).finally(lines.release);
}

/** At the fit, by lines that are open. */
export async function slopesFrom(
  fitted: Fitted<StoredFit>,
  lines: Batched<Float64Array, Linearisation>,
): Promise<Slopes> {
  const [found] = await lines.at([fitted.point]);
  const { residuals, jacobian } = found!;
  const scale = fitted.all.map((coordinate, j) => coordinateSlopes(coordinate, fitted.point[j]!)[0]);
  const gradients = Array.from(residuals, (_, row) =>
    Float64Array.from(jacobian, (column, j) => column[row]! / scale[j]!),
  );
  return { values: residuals, gradients };
}

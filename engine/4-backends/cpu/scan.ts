import { componentTypes } from '../../0-ir/operators.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import type { ScanStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, read, sourceCursor, writeAt, type Line } from './walk/access.ts';
import { carriedPart } from './combine/carried-part.ts';
import { accumulate, accumulateVectors, elementOf, newAccumulator, reset } from './combine/combining.ts';
import { handOn } from './scan/hand-on.ts';
import { isSimple } from './combine/joins.ts';
import { passAcross, passAlong, runsAcross, tiledLine, tiledShape, tilesOf, type Pass } from './combine/passes.ts';
import type { Phases } from './phases.ts';
import { vectorLanes } from './scalar/lanes.ts';
import { vectorElement } from './reduce/reduce-vectors.ts';
import { emitFunction } from './scalar/scalar-function.ts';
import { scansVectors, scanVectors } from './scan/scan-vectors.ts';
import { scanInStages, stagesOf } from './scan/staged-scan.ts';
import { stripElements, stripsOf } from './scan/strip-layout.ts';
import { vectorAcross, writeVectorAt } from './walk/vector-access.ts';
import { get } from './wasm/expression.ts';

/** Elements of a tile, all components together: what it reads and writes stays in the second-level cache. */
const TILE = 8192;

/**
 * yₜ = x₀ ⊙ … ⊙ xₜ; exclusive: yₜ = x₀ ⊙ … ⊙ xₜ₋₁, the neutral element where that is nothing. Anew at each flag. Written is
 * y, or the epilogue's f(yₜ, zₜ).
 */
export function emitScan(phases: Phases, step: ScanStep): void {
  const { operator, axis } = step;
  const types = step.epilogue ? resultTypes(step.epilogue.function) : componentTypes(operator);
  const across = runsAcross(step);
  const shown = step.outputs.map((_, i) => i);
  const inVectors = !across && scansVectors(step);
  const isAhead = inVectors || (step.flags && isSimple(operator));
  const part = across || isAhead ? undefined : carriedPart(operator, shown, step.epilogue?.function);
  // Nothing begins anew within a strip.
  const strips = part && part.kept.length > 0 && !step.flags ? stripsOf(step, part, phases.precision) : undefined;
  const stages = part && stagesOf(step, part, strips && stripElements(strips, phases.precision));
  const tiling = tilesOf(phases, step, stages?.block ?? Math.ceil(TILE / componentTypes(operator).length));
  const k = phases.next(tiledShape(phases, step, tiling));
  const { f } = k;
  const tiled = (line: Line) => tiledLine(line, tiling);
  const flags = step.flags && tiled(lineOf(k, sourceCursor(k, step.flags), axis));
  const outputs = step.outputs.map((access, i) => tiled(lineOf(k, accessCursor(k, access, types[i] ?? 'real'), axis)));
  const total = newAccumulator(k, operator, step.exclusive, part);
  const after = (step.epilogue?.inputs ?? []).map((source) => tiled(lineOf(k, sourceCursor(k, source), axis)));
  const storeTotal = () => {
    const held = total.components.map(get);
    const results = step.epilogue
      ? emitFunction(k, step.epilogue.function, [...held, ...after.map((line) => read(k, line.along))])
      : held;
    results.forEach((result, i) => {
      const place = outputs[i]?.along.at;
      if (place) writeAt(k, types[i] ?? 'real', get(place), result);
    });
  };
  const pass: Pass = {
    total,
    inputs: step.inputs.map((source) => tiled(lineOf(k, sourceCursor(k, source), axis))),
    others: [...(flags ? [flags] : []), ...after, ...outputs],
    results: [],
    begin: () => reset(k, total),
    point(inputs) {
      if (flags) f.if(read(k, flags.along), () => reset(k, total));
      // Read before anything is written: an output may stand where its input stood.
      const element = elementOf(k, step, inputs).map((value) => get(f.keep(value)));
      if (step.exclusive) storeTotal();
      accumulate(k, total, element);
      if (!step.exclusive) storeTotal();
    },
    end: () => {},
  };
  if (stages) {
    const { inputs } = pass;
    const written = outputs.map((line, i) => ({ line, type: types[i] ?? 'real' }));
    const staged = { step, stages, strips, tiles: tiling.count, part, total, flags, inputs, after, outputs: written };
    pass.staged = (length, carry) => scanInStages(k, staged, length, carry);
  } else if (inVectors) {
    const { inputs, point } = pass;
    const vectors = { step, total, inputs, after, outputs, outputTypes: types, point };
    pass.tile = (length) => scanVectors(k, vectors, length);
  }
  if (across && !flags)
    pass.points = (totals, inputs, isEmpty) => {
      const element = vectorElement(k, step, inputs).map((value) => get(f.keep(value)));
      const write = () => {
        const beside = after.map(({ item, along }) => vectorAcross(k, { ...item, at: along.at }));
        const results = step.epilogue
          ? emitFunction(k, step.epilogue.function, [...totals.map(get), ...beside], vectorLanes)
          : totals.map(get);
        outputs.forEach(({ item, along }, i) =>
          writeVectorAt(k, types[i] ?? 'real', get(along.at), item.strides.at(-1) ?? 0, results[i]!),
        );
      };
      if (step.exclusive) write();
      accumulateVectors(k, operator, totals, element, isEmpty);
      if (!step.exclusive) write();
    };
  const carried = tiling.count === 1 ? pass : handOn(phases, k, pass, { step, tiling, flags, isAlong: !across });
  (across ? passAcross : passAlong)(k, step, tiling, carried);
}

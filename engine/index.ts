/**
 * The engine's only door: what models and hosts use of it. Inside the engine nothing imports this file.
 */
export { ProgramBuilder } from './0-ir/builder.ts';
export { type AlongAxis, type Dependence, dependenceOf, lengthOf } from './0-ir/dependence.ts';
export { Cancelled, DeviceLost, Fault, orCancelled, OutOfMemory, TooLong } from './0-ir/errors.ts';
export { fingerprints } from './0-ir/fingerprint.ts';
export { hashNumbers, hashText } from './0-ir/hash.ts';
export {
  builtinOperator,
  type BuiltinOperator,
  builtinOperators,
  componentTypes,
  type Operator,
  recognise,
} from './0-ir/operators.ts';
export { printProgram } from './0-ir/print.ts';
export type {
  Construct,
  ConstructKind,
  ConstructOf,
  Epilogue,
  Named,
  Program,
  Statement,
  Value,
} from './0-ir/program.ts';
export { solveEnds } from './0-ir/program.ts';
export { ScalarBuilder, scalarFunction } from './0-ir/scalar-builder.ts';
export { operationType, type ScalarOperation } from './0-ir/scalar-operations.ts';
export { readsOf } from './0-ir/scalar-reads.ts';
export {
  boolLiteral,
  intLiteral,
  realLiteral,
  resultTypes,
  type ScalarApply,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarLiteral,
  type ScalarOperand,
  type ScalarVariable,
} from './0-ir/scalar.ts';
export { type Size, sizeMultiply, sizeProduct, sizeSubtract, sizeSymbols, sizeValue } from './0-ir/sizes.ts';
export { arrayType, broadcastShape, type ElementType, IrError, sameShape, type Shape } from './0-ir/types.ts';
export { optimize } from './1-optimize/index.ts';
export { simplifyFunction } from './1-optimize/scalar/simplify-function.ts';
export { type Choice, RuleError } from './2-ad/choose.ts';
export { type DeviceProfile, estimate, profiles } from './2-ad/cost.ts';
export { turningFunction } from './2-ad/implicit/turning.ts';
export { jvp } from './2-ad/jvp.ts';
export { adjointName, cotangentName, tangentName } from './2-ad/names.ts';
export { primalCost } from './2-ad/primal-cost.ts';
export { jvpFunction } from './2-ad/scalar/jvp-function.ts';
export { vjpFunction } from './2-ad/scalar/vjp-function.ts';
export { vjp, vjpRules } from './2-ad/vjp.ts';
export { printPlan } from './3-plan/print.ts';
export { meaningOf } from './4-backends/reference/scalar/meaning.ts';
export { polygamma } from './4-backends/reference/scalar/polygamma.ts';
export { generate as generateWgsl } from './4-backends/webgpu/generate.ts';
export type { ModuleKernel, ModuleStep } from './4-backends/webgpu/module.ts';
export { heeding } from './5-runtime/heeding.ts';
export { LeastRecentlyUsed } from './5-runtime/least-recently-used.ts';
export { compile } from './5-runtime/compile.ts';
export { cpuDevice } from './5-runtime/cpu/cpu-device.ts';
export { growingPrefix, mostGrown } from './5-runtime/growth.ts';
export { inPieces } from './5-runtime/pieces/in-pieces.ts';
export type { Device, DeviceKind, HostArray, Instance, Precision } from './5-runtime/device.ts';
export type { GpuHost } from './5-runtime/gpu/host.ts';
export { type GpuPort, windowGone } from './5-runtime/gpu/protocol.ts';
export { referenceDevice } from './5-runtime/reference-device.ts';
export { hasVulkanDriver } from './5-runtime/gpu/vulkan-drivers.ts';
export { distrust } from './5-runtime/gpu/webgpu-check.ts';
export { webGpuDevice } from './5-runtime/gpu/webgpu-device.ts';
export { openNodeGpu, prepareGpuEnvironment } from './5-runtime/gpu/webgpu-node.ts';
export { connectGpu } from './5-runtime/gpu/webgpu-remote.ts';
export { serveGpu } from './5-runtime/gpu/webgpu-serve.ts';
export { type Coordinate, coordinateName, coordinates, elementName } from './6-fit/coordinates.ts';
export {
  gradientName,
  jacobianName,
  productName,
  withGradient,
  withHessian,
  withHessianProduct,
  withJacobian,
} from './6-fit/derivative-programs.ts';
export { drawBinomial, drawGamma, drawPoisson } from './6-fit/ensembles/distributions.ts';
export { type Part, shardPart } from './6-fit/ensembles/parts.ts';
export { type Random, randomFrom } from './6-fit/ensembles/random.ts';
export { fit, FitRefusal } from './6-fit/fit.ts';
export type { Estimate, FitResult } from './6-fit/report/report.ts';
export {
  fitFromStarts,
  type MultistartOptions,
  type MultistartResult,
  type OpenStarts,
  openStarts,
  reportStarts,
  runStarts,
} from './6-fit/multistart.ts';
export { startingPoints } from './6-fit/starting-points.ts';
export type { StartEnding } from './6-fit/ended-starts.ts';
export type { AdamOptions } from './6-fit/context.ts';
export { defaultMethod, type FitMethod } from './6-fit/methods.ts';
export { areCrossed, type EffectLevel } from './6-fit/effects.ts';
export {
  effectModes,
  type EffectModes,
  unrestrictedParameter,
  effectsApart,
  marginalExpansion,
  marginalFall,
  marginalQuestions,
} from './6-fit/marginal/report.ts';
export { fitPolished } from './6-fit/polish.ts';
export { isCancelled, stoppedAt } from './6-fit/problem.ts';
export type { ExpectedInformation, FitParameter, FitProblem } from './6-fit/problem.ts';
export { isLongToCurve } from './6-fit/step-code.ts';
export { readBy, uninformed, withHeldNoise } from './6-fit/marginal/information.ts';
export type { ScheduleName } from './6-fit/optimisers/schedules.ts';
export { leaveOneOut, squaresByCase } from './7-study/leave-one-out.ts';
export type { Cases } from './7-study/row-shares.ts';
export { scoreTest } from './7-study/score-test.ts';
export { akaikeWeights, type Candidate, nestedTest, type NestedTest } from './7-study/comparison.ts';
export { bestDesign, type Candidate as DesignCandidate, designAt, type DesignPoint } from './7-study/design.ts';
export {
  type RowShape,
  rowShape,
  runRows,
  type Shard,
  type ShardedMethod,
  studyOfRuns,
} from './7-study/ensembles/shards.ts';
export {
  type Distribution,
  logUniformDistribution,
  priorDistribution,
  uniformDistribution,
} from './7-study/sensitivity/distribution.ts';
export {
  elementsOf,
  type SensitivityMethod,
  type SensitivityProblem,
  type SensitivityResult,
} from './7-study/sensitivity/problem.ts';
export { sensitivity } from './7-study/sensitivity/study.ts';
export { conditionalResiduals, type EffectSlopes, rowsTogether } from './7-study/diagnostics/conditional-residuals.ts';
export { predictionErrors } from './7-study/diagnostics/discrepancies.ts';
export { type CheckedBin, visualCheck } from './7-study/diagnostics/visual-check.ts';
export { bandsAtFit, type BandModel } from './7-study/uncertainty/bands.ts';
export type { StoredFit } from './7-study/uncertainty/fitted.ts';
export { correlationsOf } from './7-study/uncertainty/chain-summary.ts';
export { divergencesBy } from './7-study/uncertainty/divergences.ts';
export type { Density } from './7-study/uncertainty/hmc.ts';
export type { Observations, ObservedResiduals } from './7-study/uncertainty/predictive.ts';
export { quantitiesAtFit } from './7-study/uncertainty/quantities.ts';
export type { QuantityInterval, QuantityModel } from './7-study/uncertainty/quantity-interval.ts';
export { type ElementInterval, StudyRefusal } from './7-study/uncertainty/problem.ts';
export type { Redrawn } from './7-study/uncertainty/redrawn.ts';
export {
  defaultReplicates,
  type RowsRun,
  type ShardedUncertainty,
  type StudyRows,
  uncertainty,
  type UncertaintyOptions,
  type UncertaintyResult,
  uncertaintyRows,
} from './7-study/uncertainty/study.ts';
export { numbers } from './6-fit/algebra/vectors.ts';
export { ascending, upTo } from './6-fit/algebra/ascending.ts';
export { missedShape } from './6-fit/report/residual-tests.ts';
export { fixedVerdict, idleVerdict } from './6-fit/report/verdict.ts';

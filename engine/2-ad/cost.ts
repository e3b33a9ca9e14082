/**
 * What a rule costs, for each element of its domain, primal and return sweep together; and what a device makes of it.
 * A reduced or broadcast array counts as free: it is as long as the other axes, not as the domain.
 */
export interface Cost {
  /** Scalars read from and written to memory. */
  readonly traffic: number;
  /** Scalar operations in additions, as `workOf` counts them. */
  readonly operations: number;
  /** Passes that cannot be fused into one: each starts kernels and loses what caches held. */
  readonly passes: number;
  /** Operations that wait for one another along the axis while nothing runs beside them. None unless said. */
  readonly chain?: number;
}

/** What the choice among rules knows of a device. Plain data: the same profile, the same choice, on every machine. */
export interface DeviceProfile {
  /** Bytes of a real. */
  readonly realBytes: number;
  /** Bytes per nanosecond to and from memory. */
  readonly bandwidth: number;
  /** Scalar operations per nanosecond. */
  readonly throughput: number;
  /** Nanoseconds for each pass and element beyond its traffic. */
  readonly pass: number;
  /** Nanoseconds of an operation that waits for the one before, beyond what `throughput` says of it. */
  readonly latency: number;
}

/** `cpu` and what an elementary function counts are fitted to what `cotangent benchmark rules` prints: one thread, f64. */
export const profiles = {
  reference: { realBytes: 8, bandwidth: 1, throughput: 0.02, pass: 0, latency: 0 },
  cpu: { realBytes: 8, bandwidth: 27, throughput: 6, pass: 0, latency: 0 },
  webgpu: { realBytes: 4, bandwidth: 400, throughput: 2000, pass: 0.005, latency: 5 },
} as const satisfies Record<string, DeviceProfile>;

/** Nanoseconds per element of the domain. */
export function estimate(cost: Cost, profile: DeviceProfile): number {
  return (
    (cost.traffic * profile.realBytes) / profile.bandwidth +
    cost.operations / profile.throughput +
    cost.passes * profile.pass +
    (cost.chain ?? 0) * profile.latency
  );
}

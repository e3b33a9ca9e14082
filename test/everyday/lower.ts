/**
 * How much lower a plain function lies about a point: by Nelder and Mead's simplex of several sizes and by damped Newton steps
 * from central differences, all of which go down by small steps alone.
 */
type Value = (p: readonly number[]) => number;
export interface Box {
  readonly lower: number;
  readonly upper: number;
}

export function lowestAbout(
  value: Value,
  end: readonly number[],
  box: readonly Box[],
): { point: number[]; value: number } {
  const at: Value = (p) => {
    if (p.some((x, j) => !(x >= box[j]!.lower && x <= box[j]!.upper))) return Infinity;
    const found = value(p);
    return Number.isNaN(found) ? Infinity : found;
  };
  let point = [...end];
  let least = at(point);
  const take = (next: readonly number[]): boolean => {
    const found = at(next);
    if (!(found < least)) return false;
    [point, least] = [[...next], found];
    return true;
  };
  for (let round = 0; round < 3; round++) {
    const before = least;
    for (const reach of [1e-2, 1e-4, 1e-7]) for (const vertex of simplex(at, point, reach)) take(vertex);
    for (let k = 0; k < 20; k++) if (!newtonSteps(at, point).some(take)) break;
    if (!(least < before)) break;
  }
  return { point, value: least };
}

const size = (x: number): number => Math.abs(x) || 1;

/** Yields the best vertex at the end. */
function simplex(at: Value, from: readonly number[], reach: number): number[][] {
  const n = from.length;
  const vertex = (p: readonly number[]) => ({ p: [...p], f: at(p) });
  const beside = (j: number, side: number) => vertex(from.map((x, i) => (i === j ? x + side * reach * size(x) : x)));
  let all = [vertex(from), ...from.map((_, j) => [beside(j, 1), beside(j, -1)].sort((u, v) => u.f - v.f)[0]!)];
  for (let k = 0; k < 150 * n; k++) {
    all.sort((u, v) => u.f - v.f);
    const worst = all[n]!;
    const centre = from.map((_, j) => all.slice(0, n).reduce((total, { p }) => total + p[j]!, 0) / n);
    const along = (t: number) => vertex(centre.map((x, j) => x + t * (worst.p[j]! - x)));
    const reflected = along(-1);
    let next = reflected;
    if (reflected.f < all[0]!.f) {
      const expanded = along(-2);
      if (expanded.f < reflected.f) next = expanded;
    } else if (!(reflected.f < all[n - 1]!.f)) next = along(reflected.f < worst.f ? -0.5 : 0.5);
    if (next.f < worst.f) all = [...all.slice(0, n), next];
    else all = all.map(({ p }, i) => (i === 0 ? all[0]! : vertex(p.map((x, j) => (x + all[0]!.p[j]!) / 2))));
  }
  return [all.sort((u, v) => u.f - v.f)[0]!.p];
}

/** (H + λ·D)·s = −g for growing λ. */
function newtonSteps(at: Value, p: readonly number[]): number[][] {
  const n = p.length;
  const h = p.map((x) => 1e-4 * size(x));
  const moved = (...by: readonly (readonly [number, number])[]): number =>
    at(p.map((x, i) => by.reduce((total, [j, t]) => (i === j ? total + t * h[j]! : total), x)));
  const here = at(p);
  // In units of h.
  const g = h.map((_, j) => (moved([j, 1]) - moved([j, -1])) / 2);
  const H = h.map((_, i) =>
    h.map((__, j) =>
      i === j
        ? moved([i, 1]) - 2 * here + moved([i, -1])
        : (moved([i, 1], [j, 1]) - moved([i, 1], [j, -1]) - moved([i, -1], [j, 1]) + moved([i, -1], [j, -1])) / 4,
    ),
  );
  if (![...g, ...H.flat()].every(Number.isFinite)) return [];
  return [0, 1e-6, 1e-4, 1e-2, 1, 100].flatMap((lambda) => {
    const s = solve(
      H.map((row, i) => row.map((x, j) => (i === j ? x + lambda * (Math.abs(x) || 1) : x))),
      g.map((x) => -x),
    );
    return s.length === n && s.every(Number.isFinite)
      ? [1, 0.1].map((t) => p.map((x, j) => x + t * s[j]! * h[j]!))
      : [];
  });
}

/** Gauss's elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    const best = rows
      .slice(k)
      .reduce((most, row, i) => (Math.abs(row[k]!) > Math.abs(rows[most]![k]!) ? k + i : most), k);
    [rows[k], rows[best]] = [rows[best]!, rows[k]!];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]! / rows[k]![k]!;
      for (let j = k; j <= n; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  return rows.map((row, i) => row[n]! / row[i]!);
}

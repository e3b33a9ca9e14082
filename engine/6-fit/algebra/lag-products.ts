/**
 * Σ_c Σ_t x_c(t)·x_c(t + k) for every lag k, of series of equal length: the transform of their power (Wiener & Khinchin), in
 * n·log n however slowly they forget. Two series go through one transform, as its real and its imaginary part:
 *
 *   Z = F(a + i·b)  ⇒  |F(a)|² + |F(b)|² = (|Z(k)|² + |Z(−k)|²)/2
 */
export function lagProducts(series: readonly Float64Array[]): Float64Array {
  const n = series[0]?.length ?? 0;
  // Zeros as long as the series keep its end from meeting its beginning.
  let size = 2;
  while (size < 2 * n) size *= 2;
  if (made?.size !== size) made = { size, transform: transformOf(size) };
  const { transform } = made;
  const power = new Float64Array(size);
  for (let c = 0; c < series.length; c += 2) {
    const { re, im } = transform({ re: padded(series[c], size), im: padded(series[c + 1], size) });
    for (let k = 0; k < size; k++) power[k] = power[k]! + re[k]! ** 2 + im[k]! ** 2;
  }
  const even = power.map((value, k) => (value + power[(size - k) % size]!) / 2);
  const { re: products } = transform({ re: even, im: new Float64Array(size) });
  return products.subarray(0, n).map((value) => value / size);
}

/** The one of a lag. */
export function lagProduct(series: readonly Float64Array[], lag: number): number {
  let total = 0;
  for (const x of series) for (let t = 0; t + lag < x.length; t++) total += x[t]! * x[t + lag]!;
  return total;
}

function padded(series: Float64Array | undefined, size: number): Float64Array {
  const whole = new Float64Array(size);
  whole.set(series ?? []);
  return whole;
}

interface Parts {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

type Transform = (parts: Parts) => Parts;

/** The last, since whoever asks asks again of as many. */
let made: { readonly size: number; readonly transform: Transform } | undefined;

/** The discrete Fourier transform of a power of two (Stockham's: halves come out in their order). It writes on what it is given. */
function transformOf(size: number): Transform {
  const half = size / 2;
  const cosines = Float64Array.from({ length: half }, (_, j) => Math.cos((2 * Math.PI * j) / size));
  const sines = Float64Array.from({ length: half }, (_, j) => -Math.sin((2 * Math.PI * j) / size));
  return (parts) => {
    let from = parts;
    let to: Parts = { re: new Float64Array(size), im: new Float64Array(size) };
    for (let stride = 1; stride < size; stride *= 2) {
      for (let p = 0; p < half; p += stride) {
        const [c, s] = [cosines[p]!, sines[p]!];
        for (let q = p; q < p + stride; q++) {
          const [a, b] = [from.re[q]!, from.im[q]!];
          const [d, e] = [from.re[q + half]!, from.im[q + half]!];
          const [x, y] = [a - d, b - e];
          to.re[q + p] = a + d;
          to.im[q + p] = b + e;
          to.re[q + p + stride] = x * c - y * s;
          to.im[q + p + stride] = x * s + y * c;
        }
      }
      [from, to] = [to, from];
    }
    return from;
  };
}

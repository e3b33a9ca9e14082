/**
 * What GradBench's table is measured on: of each eval a small input and a larger one, drawn as its own eval draws them, from a seed.
 * Those of `ba` and `ht` are read from its checkout.
 */
import { bundle, hand } from './gradbench-data.mjs';

const vector = (length, draw) => Array.from({ length }, draw);
const matrix = (rows, columns, draw) => vector(rows, () => vector(columns, draw));

function mixture({ normal, uniform }, d, k) {
  const n = 1000;
  return {
    ...{ d, k, n, m: 0, gamma: 1, x: matrix(n, d, normal) },
    ...{
      alpha: vector(k, normal),
      mu: matrix(k, d, uniform),
      q: matrix(k, d, normal),
      l: matrix(k, (d * (d - 1)) / 2, normal),
    },
  };
}

function clusters({ uniform }, k, n, d) {
  const points = matrix(n, d, uniform);
  return { points, centroids: points.slice(-k) };
}

/** Characters of 14 bits, as those of the eval's text are. */
function network({ uniform, integer }, layers, characters) {
  const bits = 14;
  return {
    ...{ main_params: matrix(2 * layers, 4 * bits, uniform), extra_params: matrix(3, bits, uniform) },
    ...{ state: matrix(2 * layers, bits, uniform), sequence: matrix(characters, bits, () => integer(2)) },
  };
}

/** [module, its functions, its inputs]; `random` draws. */
export function asked(checkout, random) {
  const { uniform } = random;
  const pair = (sizes, size, input) => sizes.map((of) => ({ size: size(...of), input: input(...of) }));
  return [
    ['ba', ['objective', 'jacobian'], [1, 3].map((number) => bundle(checkout, number))],
    [
      'det',
      ['primal', 'gradient'],
      pair(
        [[5], [9]],
        (ell) => `ℓ = ${ell}`,
        (ell) => ({ A: vector(ell * ell, uniform), ell }),
      ),
    ],
    [
      'gmm',
      ['objective', 'jacobian'],
      pair(
        [
          [10, 25],
          [32, 50],
        ],
        (d, k) => `d = ${d}, K = ${k}`,
        (d, k) => mixture(random, d, k),
      ),
    ],
    ['ht', ['objective', 'jacobian'], [hand(checkout, 'small', 1), hand(checkout, 'big', 5)]],
    [
      ...['kmeans', ['cost', 'dir']],
      pair(
        [
          [10, 1000, 8],
          [100, 10000, 16],
        ],
        (k, n, d) => `k = ${k}, n = ${n}, d = ${d}`,
        (...of) => clusters(random, ...of),
      ),
    ],
    [
      'llsq',
      ['primal', 'gradient'],
      pair(
        [[64], [4096]],
        (n) => `n = ${n}, m = 128`,
        (n) => ({ x: vector(128, uniform), n }),
      ),
    ],
    [
      'lse',
      ['primal', 'gradient'],
      pair(
        [[10000], [320000]],
        (n) => `n = ${n}`,
        (n) => ({ x: vector(n, uniform) }),
      ),
    ],
    [
      'lstm',
      ['objective', 'jacobian'],
      pair(
        [
          [2, 1024],
          [4, 4096],
        ],
        (l, c) => `l = ${l}, c = ${c}`,
        (l, c) => network(random, l, c),
      ),
    ],
    [
      'ode',
      ['primal', 'gradient'],
      pair(
        [
          [1000, 10],
          [10000, 100],
        ],
        (n, s) => `n = ${n}, s = ${s}`,
        (n, s) => ({ x: vector(n, uniform), s }),
      ),
    ],
    ['particle', ['ff', 'fr', 'rf', 'rr'], [{ size: 'w = 0', input: { w: 0 } }]],
    ['saddle', ['ff', 'fr', 'rf', 'rr'], [{ size: 'from (1, 1)', input: { start: [1, 1] } }]],
  ];
}

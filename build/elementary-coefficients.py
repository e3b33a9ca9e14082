"""The polynomials of engine/4-backends/cpu/elementary, to be pasted there by hand: python3 build/elementary-coefficients.py [name]

Each is fitted in 60 digits (mpmath) by least squares of the weighted error at Chebyshev points, which is within a factor
of about two of the minimax error. Coefficients are rounded one after the other from the lowest on, each time with the
rest fitted anew, so that the rounded polynomial is as good as the exact one. Printed with the largest weighted error.
"""
import struct
import sys
from mpmath import mp, mpf, matrix, lu_solve, exp, log, expm1, sin, cos, atan, asin, erf, erfc, sqrt, pi, ln, cosh, sinh, tanh, cbrt, taylor, fabs, factorial, zeta, psi, loggamma

mp.dps = 60


def rounded(value, bits):
    if bits == 53:
        return mpf(float(value))
    return mpf(struct.unpack('f', struct.pack('f', float(value)))[0])


def fit(f, weight, low, high, degree, bits):
    """f ≈ Σ cₖ xᵏ on [low, high], minimising |weight·error|."""
    low, high = mpf(low), mpf(high)
    count = 4 * (degree + 2)
    points = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * count)) for i in range(count)]
    weights = [weight(x) for x in points]
    rest = [f(x) for x in points]
    known = []
    for first in range(degree + 1):
        powers = range(first, degree + 1)
        a = matrix(count, len(powers))
        b = matrix(count, 1)
        for i, x in enumerate(points):
            b[i] = weights[i] * rest[i]
            for j, k in enumerate(powers):
                a[i, j] = weights[i] * x**k
        c = rounded(lu_solve(a, b)[0], bits)
        known.append(c)
        rest = [r - c * x**first for r, x in zip(rest, points)]
    dense = [low + (high - low) * mpf(i) / 500 for i in range(501)]
    error = max(fabs(weight(x) * (f(x) - sum(c * x**k for k, c in enumerate(known)))) for x in dense if x != 0)
    return known, error


def quotient(f, start, divisor_power, argument=lambda x: x):
    """(f(t) - start(t))/t^divisor_power with enough digits for the cancellation."""

    def value(x):
        t = argument(x)
        if fabs(t) < mpf(10) ** -12:
            t = mpf(10) ** -12
        mp.dps = 160
        result = (f(t) - start(t)) / t**divisor_power
        mp.dps = 60
        return +result

    return value


half_ln2 = ln(mpf(2)) / 2 + mpf('0.0001')
root2 = sqrt(mpf(2))
s2 = ((root2 - 1) / (root2 + 1)) ** 2 + mpf('1e-6')
root = lambda z: sqrt(z)

def scaled_erfc(t):
    x = 3 * (1 + t) / (1 - t)
    return (1 + 2 * x) * exp(x * x) * erfc(x)


polynomials = {
    # (eʳ - 1 - r)/r², relative to eʳ - 1
    'exp': lambda bits: (quotient(exp, lambda r: 1 + r, 2), lambda r: r**2 / expm1(r) if r else mpf(0), -half_ln2, half_ln2, 9 if bits == 53 else 4),
    # (2ʳ - 1)/r
    'exp2': lambda bits: (quotient(lambda r: mpf(2) ** r, lambda r: 1, 1), lambda r: r, -0.5001, 0.5001, 11 if bits == 53 else 6),
    # (log((1 + s)/(1 - s)) - 2s)/s³ in z = s²
    'log': lambda bits: (quotient(lambda s: log((1 + s) / (1 - s)), lambda s: 2 * s, 3, root), lambda z: z, 0, s2, 7 if bits == 53 else 2),
    # (3·artanh(s)/s - 3 - s²)/s⁴ in z = s²
    'pow': lambda bits: (quotient(lambda s: 3 * log((1 + s) / (1 - s)) / (2 * s), lambda s: 3 + s**2, 4, root), lambda z: z**2, 0, s2, 7 if bits == 53 else 2),
    # (sin r - r)/r³ in z = r², |r| ≤ π/4, and (cos r - 1 + r²/2)/r⁴
    'sin quarter': lambda bits: (quotient(sin, lambda r: r, 3, root), lambda z: z, 0, (pi / 4) ** 2 + mpf('1e-3'), 5 if bits == 53 else 2),
    'cos quarter': lambda bits: (quotient(cos, lambda r: 1 - r**2 / 2, 4, root), lambda z: z**2, 0, (pi / 4) ** 2 + mpf('1e-3'), 5 if bits == 53 else 2),
    # (atan t - t)/t³ in z = t², |t| ≤ 1/2
    'atan': lambda bits: (quotient(atan, lambda t: t, 3, root), lambda z: z, 0, mpf('0.2501'), 12 if bits == 53 else 5),
    # (asin t - t)/t³ in z = t², |t| ≤ 1/2
    'asin': lambda bits: (quotient(asin, lambda t: t, 3, root), lambda z: z, 0, 0.25, 12 if bits == 53 else 5),
    # (sinh t - t)/t³ in z = t², |t| ≤ 1
    'sinh': lambda bits: (quotient(sinh, lambda t: t, 3, root), lambda z: z, 0, 1, 7 if bits == 53 else 3),
    # cbrt on [√½, √2]
    'cbrt': lambda bits: (cbrt, lambda x: 1 / cbrt(x), 1 / root2, root2, 5 if bits == 53 else 3),
    # erf(x)/x - 1 in z = x², |x| ≤ 1
    'erf': lambda bits: (quotient(erf, lambda x: x, 1, root), lambda z: 1, 0, 1, 11 if bits == 53 else 6),
    # (1 + 2x)·exp(x²)·erfc(x) in t = (x - 3)/(x + 3), 1/2 ≤ x ≤ 28
    'erfc': lambda bits: (scaled_erfc, lambda t: 1, mpf(-5) / 7, mpf(25) / 31, 23 if bits == 53 else 10),
}

if __name__ == '__main__':
    for name, description in polynomials.items():
        if len(sys.argv) > 1 and sys.argv[1] != name:
            continue
        for bits in (53, 24):
            known, error = fit(*description(bits), bits)
            print(f'{name} {bits}: error 2^{mp.nstr(log(error, 2), 4)}')
            print('  [' + ', '.join(repr(float(c)) for c in known) + '],')

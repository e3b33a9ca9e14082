"""Values of the elementary functions from mpmath, an implementation independent of all others here, as JSON:

    python3 test/support/numbers/elementary-values.py COUNT SEED > test/engine/4-backends/cpu/elementary/values.json

COUNT points of each range of each function, in double and in single precision, at random but for the seed. A point is
(x, y, high, low): operands, and the value as the sum of two doubles; (y, low: 0 where there is none). Points are float64,
little-endian, in base64.
"""
import base64
import json
import math
import random
import struct
import sys
import mpmath as m
from mpmath import mpf

m.mp.dps = 50
COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])

HUGE = 1.7e308
half_turn, log_two = math.pi / 2, math.log(2)


# Ranges: 'even' spaced, 'log' spaced, 'signed' log spaced with either sign, nearest 'multiples' of a step.
def even(low, high):
    return lambda r: r.uniform(low, high)


def logarithmic(low, high):
    return lambda r: 2 ** r.uniform(math.log2(low), math.log2(high))


def signed(low, high):
    return lambda r: r.choice([-1, 1]) * 2 ** r.uniform(math.log2(low), math.log2(high))


def multiples(step, most):
    return lambda r: step * (r.randint(-most, most) or 1)


def whole(low, high):
    return lambda r: float(r.randint(low, high))


tiny_to_one = signed(1e-310, 1)
everywhere = signed(5e-324, HUGE)
positive = logarithmic(5e-324, HUGE)
trigonometric = [[even(-10, 10)], [tiny_to_one], [signed(1, HUGE)], [multiples(half_turn, 600000)], [even(-2e6, 2e6)], [multiples(half_turn / 2, 500)]]
logarithms = [[positive], [even(0.5, 2)], [even(0.99, 1.01)], [multiples(math.sqrt(0.5), 4)]]
pair = [[even(-3, 3), even(-3, 3)], [everywhere, everywhere], [signed(1e-3, 1e3), signed(1e-3, 1e3)]]

functions = {
    'exp': (m.exp, [[even(-750, 712)], [even(-3, 3)], [tiny_to_one], [multiples(log_two / 2, 2000)]]),
    'exp2': (lambda x: mpf(2) ** x, [[even(-1080, 1026)], [even(-3, 3)], [tiny_to_one], [multiples(0.5, 2000)]]),
    'expm1': (m.expm1, [[even(-45, 712)], [even(-3, 3)], [tiny_to_one], [multiples(log_two / 2, 100)]]),
    'log': (m.log, logarithms),
    'log2': (lambda x: m.log(x) / m.log(2), logarithms),
    'log10': (lambda x: m.log(x) / m.log(10), logarithms),
    'log1p': (m.log1p, [[even(-1, 3)], [logarithmic(1e-310, HUGE)], [even(-0.5, 0.5)], [tiny_to_one]]),
    'sin': (m.sin, trigonometric),
    'cos': (m.cos, trigonometric),
    'tan': (m.tan, trigonometric),
    'asin': (m.asin, [[even(-1, 1)], [even(0.99, 1)], [even(0.4, 0.6)], [tiny_to_one]]),
    'acos': (m.acos, [[even(-1, 1)], [even(0.99, 1)], [even(-0.6, 0.6)], [tiny_to_one]]),
    'atan': (m.atan, [[even(-3, 3)], [everywhere], [even(0.45, 0.55)], [even(1.9, 2.1)]]),
    'atan2': (m.atan2, pair),
    'sinh': (m.sinh, [[even(-3, 3)], [even(-711, 711)], [tiny_to_one]]),
    'cosh': (m.cosh, [[even(-3, 3)], [even(-711, 711)], [tiny_to_one]]),
    'tanh': (m.tanh, [[even(-3, 3)], [even(-25, 25)], [tiny_to_one]]),
    'cbrt': (lambda x: m.sign(x) * m.cbrt(abs(x)), [[even(-3, 3)], [everywhere]]),
    'hypot': (lambda x, y: m.sqrt(x * x + y * y), pair),
    'pow': (m.power, [[even(0, 3), even(-10, 10)], [even(0.9, 1.1), even(-6000, 6000)], [logarithmic(1e-300, 1e300), signed(1e-3, 3)], [logarithmic(5e-324, 1e-307), even(-1, 1)], [even(-5, 5), whole(-20, 20)]]),
    'erf': (m.erf, [[even(-3, 3)], [even(-7, 7)], [tiny_to_one]]),
    'erfc': (m.erfc, [[even(-3, 3)], [even(-7, 27.3)], [tiny_to_one], [even(0.4, 0.6)]]),
    'lgamma': (lambda x: m.re(m.loggamma(x)), [[even(0.001, 15)], [logarithmic(1e-300, 1e300)], [even(0.5, 2.5)], [even(0.99, 1.01)], [even(-5, 0)]]),
    'digamma': (m.digamma, [[even(0.001, 15)], [logarithmic(1e-300, 1e300)], [even(1.4, 1.5)], [even(-5, 0)]]),
    'polygamma': (lambda n, x: m.polygamma(int(n), x), [[whole(1, 6), even(0.01, 30)], [whole(1, 30), logarithmic(0.01, 100)]]),
    'xlogy': (lambda x, y: x * m.log(y), [[even(-3, 3), even(0, 3)], [signed(1e-100, 1e100), logarithmic(1e-300, 1e300)]]),
    'logistic': (lambda x: 1 / (1 + m.exp(-x)), [[even(-3, 3)], [even(-740, 50)], [tiny_to_one]]),
    'logaddexp': (lambda a, b: max(a, b) + m.log1p(m.exp(-abs(a - b))), [[even(-3, 3), even(-3, 3)], [even(0, 50), even(0, 50)], [even(-800, 800), even(-800, 800)]]),
}


def to_single(x):
    try:
        return struct.unpack('<f', struct.pack('<f', x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def rows(name, single):
    function, ranges = functions[name]
    r = random.Random(f'{SEED} {name} {single}')
    for number, operands in enumerate(ranges):
        made = drawn = 0
        while made < COUNT:
            point = [draw(r) for draw in operands]
            if name == 'log' or name == 'log2' or name == 'log10':
                point = [abs(point[0])]
            if single:
                point = [to_single(x) for x in point]
                # Of ranges made for double precision, what single precision can hold.
                if any(math.isinf(x) or x == 0 for x in point):
                    drawn += 1
                    if drawn > 50 * COUNT:
                        break
                    continue
            value = function(*(mpf(x) for x in point))
            limit = mpf(2) ** (128 if single else 1024)
            if not m.isfinite(value) or abs(value) > 2 * limit:
                value = mpf('inf') * (m.sign(value) if value == value else 1)
            high = float(value) if abs(value) < limit else math.copysign(math.inf, value)
            low = float(value - mpf(high)) if math.isfinite(high) else 0.0
            made += 1
            yield struct.pack('<4d', point[0], point[1] if len(point) > 1 else 0.0, high, low)


json.dump({name: {p: base64.b64encode(b''.join(rows(name, p == 'f32'))).decode() for p in ('f64', 'f32')} for name in functions}, sys.stdout, indent=0)

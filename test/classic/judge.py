"""Whether the ends that search.test.ts wrote are stationary, and what SciPy reaches from the same starts.

    python3 test/classic/judge.py FOLDER

Wants mpmath and SciPy. An end is judged by values of the model alone, in 80 digits: residuals, gradient and Hessian are by
central differences there, where differences of 10^-20 keep 20 digits. Of -log L (squares over twice SSR/(n - p)), an end
called converged is false

- where the undamped Newton step would lower it by more than 1e-5, and is more than the rounding of the parameters,
- where it curves downwards, or
- where, if it hardly curves in some direction, steps down from it lower it by more than 1e-3.

An end that these steps leave further and further behind, lowering next to nothing, fades; it is told by itself.
"""
import json
import re
import sys
from pathlib import Path

import mpmath as m
import numpy as np
from mpmath import mpf
from scipy.optimize import least_squares

DIGITS = 80
m.mp.dps = DIGITS
STEP = mpf(10) ** -20


# ---------------------------------------------------------------------------------------------------- the model in mpmath

def real(value):
    """Beyond the real numbers there is no value."""
    if isinstance(value, m.mpc):
        raise ValueError
    return value


def exp(value):
    """Of vast numbers mpmath takes as many digits; doubles have overflowed long before."""
    if value > 1e5:
        raise OverflowError
    return m.exp(value) if value > -1e5 else mpf(0)


IN_MPMATH = {
    'exp': exp, 'log': lambda v: real(m.log(v)), 'sqrt': lambda v: real(m.sqrt(v)), 'atan': m.atan, 'sin': m.sin,
    'cos': m.cos, 'abs': abs, 'pi': m.pi, 'choose': lambda c, a, b: a() if c else b(), 'number': mpf,
}


def compiled(formula):
    """The formula as Python. Literals are doubles, as everywhere."""
    text = re.sub(r'(?<![\w.])(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)', r'number(\1)', formula)
    text = re.sub(r'\bif\(([^,]*), ([^,]*), ([^,]*?)\)\)', r'choose(\1, lambda: \2, lambda: \3))', text)
    return compile(text.replace('^', '**'), formula, 'eval')


class Model:
    def __init__(self, problem):
        self.problem = problem
        self.squares = 'residuals' in problem
        self.names = problem['parameters']
        self.terms = [(text, compiled(text)) for text in (problem['residuals'] if self.squares else [problem['term']])]
        self.columns = {k: [mpf(v) for v in values] for k, values in problem['columns'].items()}
        self.rows = len(next(iter(self.columns.values()), []))

    def values(self, point, functions=IN_MPMATH):
        """Residuals, or terms of -log L, of every row; None where there is no value."""
        names = {'__builtins__': {}, **functions}
        names.update(zip(self.names, point))
        found = []
        try:
            for text, code in self.terms:
                used = [k for k in self.columns if re.search(rf'\b{k}\b', text)]
                for i in range(self.rows if used else 1):
                    for k in used:
                        names[k] = self.columns[k][i]
                    found.append(real(eval(code, names)))
        except (ValueError, ZeroDivisionError, OverflowError):
            return None
        return found

    def energy(self, point):
        values = self.values(point)
        if values is None:
            return m.inf
        return sum(v * v for v in values) if self.squares else sum(values)

    def around(self, point):
        """E, gradient and Hessian by central differences, or None."""
        p = len(point)
        h = [STEP * (abs(u) or mpf(10) ** -6) for u in point]

        def at(*moves):
            moved = list(point)
            for j, side in moves:
                moved[j] += side * h[j]
            return self.energy(moved)

        here = self.energy(point)
        up, down = [at((j, 1)) for j in range(p)], [at((j, -1)) for j in range(p)]
        if not all(m.isfinite(v) for v in [here, *up, *down]):
            return None
        gradient = [(up[j] - down[j]) / (2 * h[j]) for j in range(p)]
        hessian = [[mpf(0)] * p for _ in range(p)]
        for i in range(p):
            hessian[i][i] = (up[i] - 2 * here + down[i]) / h[i] ** 2
            for j in range(i):
                mixed = at((i, 1), (j, 1)) - at((i, 1), (j, -1)) - at((i, -1), (j, 1)) + at((i, -1), (j, -1))
                if not m.isfinite(mixed):
                    return None
                hessian[i][j] = hessian[j][i] = mixed / (4 * h[i] * h[j])
        return here, gradient, hessian


# ------------------------------------------------------------------------------------------------------------- the judge

def newton(gradient, hessian):
    """Undamped step, decrement along it, least eigenvalue of the Hessian with a unit diagonal."""
    p = len(gradient)
    size = [m.sqrt(abs(hessian[j][j])) for j in range(p)]
    seen = [j for j in range(p) if size[j] > 0]
    scaled = m.matrix(len(seen), len(seen))
    for a, i in enumerate(seen):
        for b, j in enumerate(seen):
            scaled[a, b] = hessian[i][j] / (size[i] * size[j])
    slope = [gradient[j] / size[j] for j in seen]
    step, decrement, least = [mpf(0)] * p, mpf(0), mpf(1)
    if seen:
        values, vectors = m.eigsy(scaled)
        for k in range(len(seen)):
            along = sum(vectors[a, k] * slope[a] for a in range(len(seen)))
            least = min(least, values[k])
            if abs(values[k]) < mpf(10) ** -15:
                continue
            decrement += along ** 2 / (2 * abs(values[k]))
            for a, j in enumerate(seen):
                step[j] -= vectors[a, k] * along / abs(values[k]) / size[j]
    return step, decrement, least


def unit(model, energy):
    if not model.squares:
        return mpf(1)
    count = sum(model.rows if any(re.search(rf'\b{k}\b', t) for k in model.columns) else 1 for t, _ in model.terms)
    return 2 * energy / max(1, count - len(model.names))


def is_rounding(model, point):
    """Residuals that the rounding of the parameters alone makes."""
    if not model.squares:
        return False
    here = model.values(point)
    noise = mpf(0)
    for j, u in enumerate(point):
        there = model.values([v * (1 + mpf(2) ** -50) if i == j else v for i, v in enumerate(point)])
        if there is not None:
            noise += sum((a - b) ** 2 for a, b in zip(here, there))
    return sum(v * v for v in here) <= 100 * noise


def judge(model, end):
    """'' where the end is stationary, else why not."""
    # A coordinate of 10^-90 is differenced on its own scale, and what else it may do shall not be lost there.
    tiny = min((abs(u) for u in map(mpf, end['point']) if u), default=mpf(1))
    m.mp.dps = DIGITS + max(0, 2 * int(-m.log10(tiny)))
    point = [mpf(u) for u in end['point']]
    here = model.around(point)
    if here is None:
        return 'no value'
    energy, gradient, hessian = here
    if energy == 0 or is_rounding(model, point):
        return ''
    scale = unit(model, energy)
    step, decrement, least = newton(gradient, hessian)
    short = all(abs(s) <= 1e-12 * abs(u) for s, u in zip(step, point))
    if decrement / scale > 1e-5 and not short:
        return f'a decrement of {m.nstr(decrement / scale, 3)}'
    if least < -1e-8:
        return f'curves downwards ({m.nstr(least, 3)})'
    if decrement / scale < 1e-8 and least > 1e-6:
        return ''
    # Where it hardly curves some steps down say more.
    place, fades = point, 0
    for _ in range(8):
        for t in (1, mpf('0.1'), mpf('0.01')):
            moved = [u + t * s for u, s in zip(place, step)]
            below = model.around(moved)
            if below is not None and below[0] < here[0]:
                break
        else:
            break
        far = max(abs(s) / (abs(u) or 1) for s, u in zip(step, place))
        place, here = moved, below
        if (energy - here[0]) / scale > 1e-3:
            return f'lower by {m.nstr((energy - here[0]) / scale, 3)} nearby'
        before = decrement
        step, decrement, least = newton(here[1], here[2])
        if far > 1e-4 and decrement > before / 10:
            fades += 1
    return 'fades' if fades > 4 else ''


# ------------------------------------------------------------------------------------------------------------------ SciPy

class Dual:
    """Values with derivatives by all parameters: for exact Jacobians."""
    __array_priority__ = 1000

    def __init__(self, v, d):
        self.v, self.d = v, d

    @staticmethod
    def of(x, like):
        return x if isinstance(x, Dual) else Dual(np.asarray(x, float), np.zeros_like(like.d))

    def chain(self, v, slope):
        return Dual(v, self.d * slope)

    def __add__(self, o):
        o = Dual.of(o, self)
        return Dual(self.v + o.v, self.d + o.d)

    def __mul__(self, o):
        o = Dual.of(o, self)
        return Dual(self.v * o.v, self.d * o.v + o.d * self.v)

    def __truediv__(self, o):
        o = Dual.of(o, self)
        return Dual(self.v / o.v, self.d / o.v - o.d * (self.v / o.v ** 2))

    def __pow__(self, o):
        if not isinstance(o, Dual):
            return self.chain(self.v ** o, o * self.v ** (o - 1) if o != 0 else 0 * self.v)
        return (o * log(self)).exp_of()

    def exp_of(self):
        v = np.exp(self.v)
        return self.chain(v, v)

    def __neg__(self):
        return Dual(-self.v, -self.d)

    def __sub__(self, o):
        return self + (-Dual.of(o, self))

    def __rsub__(self, o):
        return Dual.of(o, self) - self

    def __rtruediv__(self, o):
        return Dual.of(o, self) / self

    def __rpow__(self, o):
        return (self * np.log(o)).exp_of()

    def __abs__(self):
        return self.chain(np.abs(self.v), np.sign(self.v))

    def __gt__(self, o):
        return self.v > o

    __radd__, __rmul__ = __add__, __mul__


def log(x):
    return x.chain(np.log(x.v), 1 / x.v)


def lifted(f, slope):
    return lambda x: x.chain(f(x.v), slope(x.v)) if isinstance(x, Dual) else f(x)


IN_NUMPY = {
    'exp': lifted(np.exp, np.exp), 'sqrt': lifted(np.sqrt, lambda v: 0.5 / np.sqrt(v)), 'number': float, 'pi': np.pi,
    'log': lifted(np.log, lambda v: 1 / v), 'atan': lifted(np.arctan, lambda v: 1 / (1 + v * v)), 'sin': lifted(np.sin, np.cos), 'abs': abs,
    'cos': lifted(np.cos, lambda v: -np.sin(v)), 'choose': lambda c, a, b: a() if c else b(),
}


def scipy_of(model):
    p = len(model.names)
    columns = {k: np.array([float(v) for v in values]) for k, values in model.columns.items()}

    def both(u):
        found = []
        for text, code in model.terms:
            used = {k: v for k, v in columns.items() if re.search(rf'\b{k}\b', text)}
            n = model.rows if used else 1
            names = {'__builtins__': {}, **IN_NUMPY, **used}
            for j, name in enumerate(model.names):
                d = np.zeros((p, n))
                d[j] = 1
                names[name] = Dual(np.full(n, float(u[j])), d)
            value = eval(code, names)
            found.append(value if isinstance(value, Dual) else Dual(np.full(n, float(value)), np.zeros((p, n))))
        return np.concatenate([f.v for f in found]), np.concatenate([f.d for f in found], axis=1).T

    reached = {}
    for method in ('lm', 'trf', 'dogbox'):
        try:
            with np.errstate(all='ignore'):
                found = least_squares(
                    lambda u: both(u)[0], [float(u) for u in model.problem['start']], jac=lambda u: both(u)[1],
                    method=method, ftol=1e-14, xtol=1e-14, gtol=1e-14, max_nfev=2000,
                )
            reached[method] = 2 * found.cost
        except (ValueError, np.linalg.LinAlgError):
            reached[method] = np.inf
    return reached


# ------------------------------------------------------------------------------------------------------------------ table

def main(folder):
    problems = json.loads((folder / 'problems.json').read_text())
    models = {problem['name']: Model(problem) for problem in problems}
    ends = [json.loads(line) for line in (folder / 'ends.jsonl').read_text().splitlines()]
    squares = [name for name, model in models.items() if model.squares]
    scipy = {name: scipy_of(models[name]) for name in squares} if '--scipy' in sys.argv else {}
    least = {problem['name']: problem.get('least') for problem in problems}
    lowest = {}
    for name, model in models.items():
        # Where it is not known the lowest end from all starts, SciPy's too; of a likelihood a few steps further.
        family = name.split(' from ')[0]
        if least[name] is None and family not in lowest:
            of = [each for each in models if each.split(' from ')[0] == family]
            points = [[mpf(u) for u in e['point']] for e in ends if e['name'] in of and 'nan' not in e['point']]
            best = min(points, key=model.energy, default=None)
            for _ in range(0 if model.squares else 20):
                here = best and model.around(best)
                if not here:
                    break
                _, gradient, hessian = here
                best = [u + s for u, s in zip(best, newton(gradient, hessian)[0])]
            others = [v for each in of for v in scipy.get(each, {}).values() if v == v]
            lowest[family] = min([model.energy(best) if best else m.inf, *others])
        if least[name] is None:
            least[name] = lowest[family]

    def reaches(name, objective):
        return objective <= least[name] + 1e-4 * abs(least[name]) + 1e-12

    judged = {}
    for method, way in dict.fromkeys((e['method'], e['way']) for e in ends):
        mine = [e for e in ends if (e['method'], e['way']) == (method, way)]
        converged = [e for e in mine if e['status'] == 'converged']
        reached = 0
        for e in mine:
            finite = 'nan' not in e['point']
            reached += bool(finite and reaches(e['name'], models[e['name']].energy([mpf(u) for u in e['point']])))
        wrong = 0
        for e in converged:
            key = (e['name'], *e['point'])
            if key not in judged:
                judged[key] = 'not finite' if 'nan' in e['point'] else judge(models[e['name']], e)
            why = judged[key]
            if why:
                wrong += why != 'fades'
                print(f"  {method} {way}: {e['name']}: {why}; {e['objective']} at {e['point']}; {e['reason']}", flush=True)
        print(f'| {method}, {way} | {len(mine)} | {len(converged)} | {wrong} | {reached} |', flush=True)
    if scipy:
        counts = dict.fromkeys(['lm', 'trf', 'dogbox', 'best'], 0)
        for name, found in scipy.items():
            found['best'] = min(found.values())
            for key, value in found.items():
                counts[key] += bool(reaches(name, value))
            if reaches(name, found['best']):
                print(f'  SciPy reaches: {name}')
        print(f'| SciPy | {len(squares)} | {counts} |')


main(Path(sys.argv[1]))

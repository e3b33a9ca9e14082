/** The Python that stands for what JAX has no one word for. A module gets those that it uses, and what these use. */

const helpers = {
  _real: `
def _real(x):
    return jnp.asarray(x).astype(jnp.float64)
`,
  _int: `
def _int(x):
    """Toward zero, saturating, NaN to 0."""
    x = jnp.asarray(x)
    if x.dtype == jnp.bool_:
        return x.astype(jnp.int32)
    return jnp.where(jnp.isnan(x), 0, jnp.clip(jnp.trunc(x), -2147483648, 2147483647)).astype(jnp.int32)
`,
  _min: `
def _min(x, y):
    """NaN if either is; the first on ties, and its derivative alone."""
    return jnp.where((x <= y) | _is_nan(x), x, y)
`,
  _max: `
def _max(x, y):
    """NaN if either is; the first on ties, and its derivative alone."""
    return jnp.where((x >= y) | _is_nan(x), x, y)
`,
  _is_nan: `
def _is_nan(x):
    return x != x
`,
  _mod: `
def _mod(x, y):
    """x - y*floor(x/y); of integers 0 for y = 0."""
    if jnp.result_type(x, y) == jnp.float64:
        return x - y * jnp.floor(x / y)
    return jnp.where(y == 0, 0, jnp.mod(x, jnp.where(y == 0, 1, y)))
`,
  _abs: `
def _abs(x):
    """Its derivative at 0 is 0, that of neither branch."""
    return jnp.where(x == 0, 0, x * lax.stop_gradient(jnp.sign(x)))
`,
  _with_partials: `
def _with_partials(f, *maps):
    """f, with what each operand's tangent v contributes: map(v, *operands, result). By a constant nothing is formed."""
    g = jax.custom_jvp(f)

    def tangent(operands, tangents):
        y = g(*operands)
        moving = [not isinstance(v, jax.custom_derivatives.SymbolicZero) for v in tangents]
        moved = [m(v, *operands, y) for m, v, moves in zip(maps, tangents, moving) if m and moves]
        return y, sum(moved, jnp.zeros_like(y))

    g.defjvp(tangent, symbolic_zeros=True)
    return g
`,
  _xlogy: `
# By y it is 0 where x is 0, where log(y) is infinite too.
_xlogy = _with_partials(
    jax.scipy.special.xlogy,
    lambda v, x, y, _: v * jnp.log(y),
    lambda v, x, y, _: _moved(x != 0, v, y, lambda y: x / y),
)
`,
  _logistic: `
# JAX has y*(1 - y), which is 0 where y rounds to 1.
_logistic = _with_partials(jax.nn.sigmoid, lambda v, x, y: v * (y * _logistic(-x)))
`,
  _tanh: `
_tanh = _with_partials(jnp.tanh, lambda v, x, y: v * (4.0 * (_logistic(2.0 * x) * _logistic(-2.0 * x))))
`,
  _expm1: `
_expm1 = _with_partials(jnp.expm1, lambda v, x, y: v * jnp.exp(x))
`,
  _logaddexp_weight: `
def _logaddexp_weight(v, a, b):
    """exp(a)/(exp(a) + exp(b)): one half where both are infinite, 0 where both are -inf."""
    same = (a == b) & jnp.isinf(a)
    return jnp.where(same, jnp.where(a < 0, 0.0, v * 0.5), v * _logistic(jnp.where(same, 0.0, a - b)))
`,
  _logaddexp: `
_logaddexp = _with_partials(
    jnp.logaddexp, lambda v, a, b, _: _logaddexp_weight(v, a, b), lambda v, a, b, _: _logaddexp_weight(v, b, a)
)
`,
  _moved: `
def _moved(moves, v, x, factor):
    """v*factor(x), and 0 where nothing moves: there x is 1 to the factor, so that in reverse no 0 meets an infinity."""
    return jnp.where(moves, v, 0.0) * factor(jnp.where(moves, x, 1.0))
`,
  _power: `
def _power(x, y):
    """NaN of a NaN to any power but 0, of any number to NaN, and of 1 and -1 to an infinite one."""
    return jnp.where(jnp.isnan(y) | (jnp.isinf(y) & (jnp.abs(x) == 1)), jnp.nan, jnp.power(x, y))
`,
  _pow: `
# By x 0 where y is 0; by y 0 where the power is 0, and at (0, 0).
_pow = _with_partials(
    _power,
    lambda v, x, y, _: _moved(y != 0, v, y, lambda y: y * _pow(x + 0.0, y - 1.0)),
    lambda v, x, y, z: _moved(((x != 0) | (y != 0)) & (z != 0), v, x, lambda x: z * jnp.log(x)),
)
`,
  _lgamma: `
_lgamma = _with_partials(jax.scipy.special.gammaln, lambda v, x, y: v * _digamma(x))
`,
  _digamma: `
# At 0 the side decides.
_digamma = _with_partials(
    lambda x: jnp.where(x == 0, -1.0 / x, jax.scipy.special.digamma(jnp.where(x == 0, 1.0, x))),
    lambda v, x, y: v * _polygamma(1.0, x),
)
`,
  _polygammas: `
def _polygammas(m, x):
    """NaN unless m = 0, 1, 2, ...; at a pole inf for odd m, else at 0 the side decides; by its first term where that is all."""
    whole = (m >= 0) & (m == jnp.floor(m))
    m = jnp.where(whole, m, 1.0)
    odd = m % 2 == 1
    usual = ~((x == 0) | (x >= 1e17) | (x == -jnp.inf) | (m == 0))
    order, at = jnp.where(usual, m, 1.0).astype(int), jnp.where(usual, x, 1.0)
    # JAX has none below 0: (-1)^m polygamma(m, 1 - x) less pi times the m-th derivative of cot(pi x), here of m = 1 to 4.
    y = jax.scipy.special.polygamma(order, jnp.where(at < 0, 1.0 - at, at))
    c = 1.0 / jnp.tan(jnp.pi * (at - jnp.round(at)))
    s = 1.0 + c * c
    turned = [jnp.nan, -s, 2.0 * c * s, -s * (2.0 + 6.0 * c * c), s * c * (16.0 + 24.0 * c * c), jnp.nan]
    bent = jnp.select([order == i for i in range(5)], turned[:5], turned[5])
    below = jnp.where(odd, -y, y) - jnp.pi ** (order + 1.0) * bent
    y = jnp.where(at < 0, jnp.where(at == jnp.round(at), jnp.where(odd, jnp.inf, jnp.nan), below), y)
    far = jnp.exp(jax.scipy.special.gammaln(jnp.where(m > 0, m, 1.0))) * jnp.power(x, -m)
    y = jnp.where(x >= 1e17, jnp.where(odd, far, -far), y)
    y = jnp.where(x == 0, jnp.where(odd, jnp.inf, -1.0 / x), y)
    return jnp.where(whole & (x != -jnp.inf), jnp.where(m == 0, _digamma(x), y), jnp.nan)
`,
  _polygamma: `
_polygamma = _with_partials(_polygammas, None, lambda v, m, x, y: v * _polygamma(m + 1.0, x))
`,
  _hypot: `
# 0 by both at the origin.
_hypot = _with_partials(
    jnp.hypot,
    lambda v, x, y, h: _moved(h != 0, v, h, lambda h: x / h),
    lambda v, x, y, h: _moved(h != 0, v, h, lambda h: y / h),
)
`,
  _atan2: `
# Divided twice, since the square of the distance may overflow.
_atan2 = _with_partials(
    jnp.arctan2,
    lambda v, y, x, _: v * (x / _hypot(y, x) / _hypot(y, x)),
    lambda v, y, x, _: -(v * (y / _hypot(y, x) / _hypot(y, x))),
)
`,
  _exponent: `
def _exponent(x):
    """e of x = m*2**e with 1/2 <= |m| < 1; 0 where x is zero, infinite or NaN."""
    _, e = jnp.frexp(lax.stop_gradient(x))
    return jnp.where((x == 0) | ~jnp.isfinite(x), 0.0, e.astype(jnp.float64))
`,
  _mantissa: `
def _mantissa(x):
    return _scale(x, -_exponent(x))
`,
  _scale: `
def _scale(x, k):
    """x*2**int(k), in halves so that none overflows alone."""
    k = _int(k)
    half = k // 2
    return x * jnp.exp2(half.astype(jnp.float64)) * jnp.exp2((k - half).astype(jnp.float64))
`,
  _if: `
def _if(condition, then, otherwise, *operands):
    """Each element takes one branch. The other is never evaluated on it, so none of its derivatives can be NaN for that."""
    shape = jnp.broadcast_shapes(jnp.shape(condition), *map(jnp.shape, operands))
    condition = jnp.broadcast_to(condition, shape)
    operands = [jnp.broadcast_to(x, shape) for x in operands]
    kinds = jax.eval_shape(lambda *xs: [jnp.broadcast_to(r, shape) for r in then(*xs)], *operands)
    a, b = _where_taken(condition, then, operands, kinds), _where_taken(~condition, otherwise, operands, kinds)
    return tuple(jnp.where(condition, x, y) for x, y in zip(a, b))
`,
  _where_taken: `
def _where_taken(condition, branch, operands, kinds):
    """branch(*operands) where the condition holds; elsewhere it runs on the operands of an element that does take it."""
    nothing = lambda *_: [jnp.zeros(kind.shape, kind.dtype) for kind in kinds]
    if condition.size == 0:
        return nothing()
    at = jnp.argmax(condition)
    safe = [jnp.where(condition, x, lax.stop_gradient(x.reshape(-1)[at])) for x in operands]
    run = lambda *xs: [jnp.broadcast_to(jnp.asarray(r, k.dtype), k.shape) for r, k in zip(branch(*xs), kinds)]
    return lax.cond(jnp.any(condition), run, nothing, *safe)
`,
  _full: `
def _full(neutral, shape, like):
    return [jnp.full(shape, e, x.dtype) for e, x in zip(neutral, like)]
`,
  _without: `
def _without(shape, axis):
    return shape[:axis] + shape[axis + 1 :]
`,
  _extreme: `
def _extreme(x, axis, argument, neutral):
    """The least or largest along an axis; the first on ties, and its derivative alone."""
    if x.shape[axis] == 0:
        return jnp.full(_without(x.shape, axis), neutral, x.dtype)
    at = jnp.expand_dims(argument(lax.stop_gradient(x), axis=axis), axis)
    return jnp.squeeze(jnp.take_along_axis(x, at, axis=axis), axis)
`,
  _reduce: `
def _reduce(combine, neutral, axis, *xs):
    """x0 (.) x1 (.) ... along an axis; the neutral element where there is no x."""
    if xs[0].shape[axis] == 0:
        return _full(neutral, _without(xs[0].shape, axis), xs)
    ys = lax.associative_scan(lambda a, b: combine(*a, *b), xs, axis=axis)
    return [lax.index_in_dim(y, y.shape[axis] - 1, axis, keepdims=False) for y in ys]
`,
  _scan: `
def _scan(combine, neutral, axis, exclusive, reverse, *xs):
    """y_i = x0 (.) ... (.) x_i; exclusive: without x_i. In reverse x0 is the last along the axis."""
    if xs[0].shape[axis] == 0:
        return list(xs)
    ys = lax.associative_scan(lambda a, b: combine(*a, *b), xs, axis=axis, reverse=reverse)
    return _exclude(neutral, axis, reverse, ys) if exclusive else list(ys)
`,
  _exclude: `
def _exclude(neutral, axis, reverse, ys):
    shape = ys[0].shape[:axis] + (1,) + ys[0].shape[axis + 1 :]
    before = _full(neutral, shape, ys)
    n = ys[0].shape[axis]
    if reverse:
        return [jnp.concatenate([lax.slice_in_dim(y, 1, n, axis=axis), e], axis) for y, e in zip(ys, before)]
    return [jnp.concatenate([e, lax.slice_in_dim(y, 0, n - 1, axis=axis)], axis) for y, e in zip(ys, before)]
`,
  _segmented_scan: `
def _segmented_scan(combine, neutral, axis, exclusive, reverse, flags, *xs):
    """A scan that forgets what came before wherever a flag is true."""
    if xs[0].shape[axis] == 0:
        return list(xs)

    def joined(a, b):
        _, *left = a
        began, *right = b
        both = _if(began, lambda *v: v[len(right) :], lambda *v: combine(*v), *left, *right)
        return (a[0] | began, *both)

    _, *ys = lax.associative_scan(joined, (flags, *xs), axis=axis, reverse=reverse)
    if not exclusive:
        return ys
    before = _exclude(neutral, axis, reverse, ys)
    return [jnp.where(flags, jnp.asarray(e, y.dtype), y) for e, y in zip(neutral, before)]
`,
  _add_at: `
def _add_at(keys, bins, batch, x, initial):
    """initial[key] + x for every element; keys outside 0..bins-1 are ignored."""
    add = lambda keys, x, initial: initial.at[jnp.where(keys < 0, bins, keys)].add(x, mode="drop")
    for _ in range(batch):
        add = jax.vmap(add)
    shape = x.shape[:batch] + (bins,) + x.shape[batch + 1 :]
    start = jnp.zeros(shape, x.dtype) if initial is None else jnp.broadcast_to(initial, shape)
    return add(jnp.broadcast_to(keys, x.shape[: batch + 1]), x, start)
`,
  _keyed_scan: `
def _keyed_scan(combine, neutral, bins, batch, exclusive, reverse, keys, initial, *xs):
    """One after the other: what each element finds in its bin (or leaves there), then the contents of the bins."""
    domain = xs[0].shape
    lead, n, rest = domain[:batch], domain[batch], domain[batch + 1 :]
    flat = lambda x, middle: x.reshape((-1,) + (middle,) + rest)
    rows = int(np.prod(lead, dtype=int))
    keys = jnp.broadcast_to(keys, lead + (n,)).reshape(rows, n)
    xs = [x.reshape((rows, n) + rest) for x in xs]
    shape = (rows, bins) + rest
    begun = jnp.full((rows, bins), initial is not None)
    start = (
        _full(neutral, shape, xs)
        if initial is None
        else [jnp.broadcast_to(x, lead + (bins,) + rest).reshape(shape) for x in initial]
    )
    row = jnp.arange(rows)
    wide = lambda mask: mask.reshape((rows,) + (1,) * len(rest))

    def step(state, element):
        begun, contents = state
        key, *x = element
        inside = (key >= 0) & (key < bins)
        at = jnp.where(inside, key, 0)
        old = [c[row, at] for c in contents]
        present = wide(begun[row, at]) & jnp.ones(old[0].shape, bool)
        new = _if(present, lambda *v: combine(*v), lambda *v: v[len(x) :], *old, *x)
        kept = [jnp.where(wide(inside), b, a) for a, b in zip(old, new)]
        found = old if exclusive else new
        none = wide(inside) & (present if exclusive else True)
        shown = [jnp.where(none, f, jnp.asarray(e, f.dtype)) for f, e in zip(found, neutral)]
        contents = [c.at[row, at].set(k) for c, k in zip(contents, kept)]
        return (begun.at[row, at].set(begun[row, at] | inside), contents), shown

    if bins == 0 or n == 0:
        running = _full(neutral, domain, xs)
        return [*running, *[c.reshape(lead + (bins,) + rest) for c in start]]
    elements = (keys.T, *[jnp.moveaxis(x, 1, 0) for x in xs])
    (_, contents), shown = lax.scan(step, (begun, start), elements, reverse=reverse)
    running = [jnp.moveaxis(y, 0, 1).reshape(domain) for y in shown]
    return [*running, *[c.reshape(lead + (bins,) + rest) for c in contents]]
`,
  _histogram: `
def _histogram(combine, neutral, bins, batch, keys, initial, *xs):
    """hist[k] = initial[k] (.) the elements whose key is k, in order."""
    return _keyed_scan(combine, neutral, bins, batch, False, False, keys, initial, *xs)[len(xs) :]
`,
  _recurrence: `
def _recurrence(step, shape, axis, reverse, initial, inputs, invariants):
    """(carries, outputs) = step(carries, inputs, invariants) along an axis: the last carries, then the outputs."""
    across = _without(shape, axis)
    spread = lambda x, to: jnp.broadcast_to(x, to)
    fixed = [spread(x, across) for x in invariants]
    carries = tuple(spread(x, across) for x in initial)

    def body(carries, xs):
        results = [spread(r, across) for r in step(*carries, *xs, *fixed)]
        return tuple(results[: len(carries)]), tuple(results[len(carries) :])

    xs = tuple(jnp.moveaxis(spread(x, shape), axis, 0) for x in inputs)
    last, stacked = lax.scan(body, carries, xs, length=shape[axis], reverse=reverse)
    return [*last, *[jnp.moveaxis(y, 0, axis) for y in stacked]]
`,
  _loop: `
def _loop(body, count, initial, invariants):
    step = lambda carries, t: (tuple(body(t, *carries, *invariants)), None)
    return list(lax.scan(step, tuple(initial), jnp.arange(count, dtype=jnp.int32))[0])
`,
  _rows: `
def _rows(batch, *xs):
    """The leading axes of all stretched to what they have in common."""
    lead = jnp.broadcast_shapes(*[x.shape[:batch] for x in xs])
    return [jnp.broadcast_to(x, lead + x.shape[batch:]) for x in xs]
`,
  _gather: `
def _gather(x, indices, batch, outside):
    """x[indices] along the axis after the batch; \`outside\` for an index out of range."""

    def take(x, i):
        if x.shape[0] == 0:
            return jnp.full(i.shape + x.shape[1:], outside, x.dtype)
        inside = (i >= 0) & (i < x.shape[0])
        found = x[jnp.where(inside, i, 0)]
        return jnp.where(inside.reshape(i.shape + (1,) * (x.ndim - 1)), found, jnp.asarray(outside, x.dtype))

    for _ in range(batch):
        take = jax.vmap(take)
    return take(*_rows(batch, x, indices))
`,
  _scatter: `
def _scatter(x, indices, values, batch):
    """x with those rows replaced; an index out of range is ignored."""
    put = lambda x, i, v: x.at[jnp.where(i < 0, x.shape[0], i)].set(v, mode="drop")
    for _ in range(batch):
        put = jax.vmap(put)
    return put(*_rows(batch, x, indices, values))
`,
} as const;

export const helperNames = Object.keys(helpers);

/** The helpers that a text names, and those that they name, in their order above. */
export function helpersFor(text: string): string[] {
  const needed = new Set<string>();
  const visit = (source: string): void => {
    for (const [name, body] of Object.entries(helpers))
      if (!needed.has(name) && new RegExp(`(?<![A-Za-z0-9_])${name}\\b`).test(source)) {
        needed.add(name);
        visit(body);
      }
  };
  visit(text);
  return Object.entries(helpers).flatMap(([name, body]) => (needed.has(name) ? [body.trim()] : []));
}

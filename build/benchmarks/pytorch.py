"""Times the rows of `cotangent benchmark pytorch` in PyTorch on the CPU, forward and forward + backward.

    python3 build/benchmarks/pytorch.py [ELEMENTS] [THREADS] > pytorch.json
    npm start --silent -- benchmark pytorch --pytorch pytorch.json

10⁷ elements in f32 and two threads unless said. Medians of 25 runs, or as many as ten seconds hold, at least three.
Prints a JSON array of {row, n, threads, version, runs, forwardMs, totalMs}.
"""

import json
import statistics
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("build/benchmarks/pytorch.py: PyTorch is not installed for this Python.")

BINS = 401


def uniform(n, low, high):
    return torch.empty(n).uniform_(low, high)


def bins():
    return torch.zeros(BINS)


def rows(n):
    """The name of each row, its data, and what is computed of them."""
    unit, near_one = uniform(n, 0, 1), uniform(n, 0.999, 1.001)
    keys = torch.randint(0, BINS, (n,))
    yield "sum", unit, lambda x: x.sum()
    yield "max", unit, lambda x: x.max()
    yield "prod", near_one, lambda x: x.prod()
    yield "cumsum", unit, lambda x: x.cumsum(0)
    yield "cumprod", near_one, lambda x: x.cumprod(0)
    yield "index_add", unit, lambda x: bins().index_add(0, keys, x)
    yield "scatter_reduce amax", unit, lambda x: bins().scatter_reduce(0, keys, x, "amax", include_self=False)
    yield "scatter_reduce prod", near_one, lambda x: bins().scatter_reduce(0, keys, x, "prod", include_self=False)
    yield "sum of squares", unit, lambda x: ((x - torch.exp(-0.3 * x)) ** 2).sum()


def median_ms(run, limit_seconds=10.0):
    run()
    times, start = [], time.perf_counter()
    while len(times) < 25 and (len(times) < 3 or time.perf_counter() - start < limit_seconds):
        before = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - before))
    return statistics.median(times), len(times)


def measure(name, data, compute):
    x = data.clone().requires_grad_()
    cotangent = torch.rand_like(compute(data))

    def forward():
        with torch.no_grad():
            compute(data)

    def both():
        # `backward` leaves an array, as ours does; `autograd.grad` of a sum would give a view of one number.
        x.grad = None
        compute(x).backward(cotangent)

    forward_ms, _ = median_ms(forward)
    total_ms, runs = median_ms(both)
    return {
        "row": name,
        "n": len(data),
        "threads": torch.get_num_threads(),
        "version": torch.__version__,
        "runs": runs,
        "forwardMs": forward_ms,
        "totalMs": total_ms,
    }


def main():
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**7
    torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 2)
    torch.manual_seed(1)
    measured = []
    for name, data, compute in rows(n):
        print(name, file=sys.stderr)
        measured.append(measure(name, data, compute))
    json.dump(measured, sys.stdout, indent=2)
    print()


main()

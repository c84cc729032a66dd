"""Measures JAX programs on mlopt beside JAX's CPU, in one process and on one core.

    python test/jax/speed.py [--rounds N] [--programs a,b] [--markdown]

Each program is compiled for both platforms, its results are compared (1e-4 of the largest number of an array), and then
both are called in turn. A row gives the medians of the times of a call, their ratio, the times of compilation (the
least of three, in turn), and their ratio. The last rows are the geometric mean of the ratios, also without the Jacobian
of bundle adjustment, the time to dispatch a jitted scalar addition, and the time to call one that is compiled ahead of
time and wait for it with `jax.block_until_ready`. All arrays are float32.
"""

import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu,mlopt"
os.environ["JAX_ENABLE_COMPILATION_CACHE"] = "false"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import argparse
import statistics
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import logsumexp

rng = np.random.default_rng(0)


def normal(*shape, scale=1.0):
    return (rng.standard_normal(shape) * scale).astype("f")


def mlp_step():
    """A step of gradient descent of a network 784-256-128-10, batch 64."""
    sizes, batch = [784, 256, 128, 10], 64
    params = [(normal(m, n, scale=m**-0.5), np.zeros(n, "f")) for m, n in zip(sizes, sizes[1:])]

    def loss(params, x, y):
        for w, b in params[:-1]:
            x = jax.nn.relu(x @ w + b)
        w, b = params[-1]
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ w + b) * jax.nn.one_hot(y, 10), axis=-1))

    def step(params, x, y):
        value, grads = jax.value_and_grad(loss)(params, x, y)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)

    return step, (params, normal(batch, 784), rng.integers(0, 10, batch).astype("i"))


def attention_grad():
    """The gradient of causal attention, batch 4, 4 heads of 32, 128 positions."""
    b, t, heads, d = 4, 128, 4, 32
    params = {name: normal(heads * d, heads * d, scale=0.1) for name in "qkvo"}

    def attention(p, x):
        q, k, v = (jnp.reshape(x @ p[name], (b, t, heads, d)) for name in "qkv")
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(jnp.float32(d))
        mask = jnp.tril(jnp.ones((t, t), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e30), axis=-1)
        return jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, t, -1) @ p["o"]

    return jax.grad(lambda p, x: jnp.sum(jnp.sin(attention(p, x)))), (params, normal(b, t, heads * d))


def lstm_grad():
    """The gradient of an LSTM by `lax.scan`, 64 units, 32 inputs, 50 steps, batch 16."""
    n, d, steps, batch = 64, 32, 50, 16
    params = {"wx": normal(d, 4 * n, scale=0.2), "wh": normal(n, 4 * n, scale=0.1), "b": np.zeros(4 * n, "f")}
    params["wo"] = normal(n, 1, scale=0.2)

    def cell(p, carry, x):
        h, c = carry
        i, f, g, o = jnp.split(x @ p["wx"] + h @ p["wh"] + p["b"], 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), (h @ p["wo"])[:, 0]

    def loss(p, xs, ys):
        start = (jnp.zeros((batch, n), jnp.float32),) * 2
        return jnp.mean((lax.scan(lambda c, x: cell(p, c, x), start, xs)[1] - ys) ** 2)

    return jax.grad(loss), (params, normal(steps, batch, d), normal(steps, batch))


def resnet_block():
    """The gradient of a residual block with batch normalisation and max pooling, 8 images of 16 x 16, 32 channels."""
    channels, images, size = 32, 8, 16
    params = {
        "k1": normal(3, 3, channels, channels, scale=0.05),
        "k2": normal(3, 3, channels, channels, scale=0.05),
        "g": np.ones(channels, "f"),
        "b": np.zeros(channels, "f"),
        "w": normal(channels, 10),
    }

    def conv(x, k):
        return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def norm(p, x):
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * lax.rsqrt(var + 1e-5) * p["g"] + p["b"]

    def loss(p, x, y):
        h = jax.nn.relu(norm(p, conv(x, p["k1"])))
        h = jax.nn.relu(norm(p, conv(h, p["k2"])) + x)
        h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return -jnp.mean(jax.nn.log_softmax(h.mean((1, 2)) @ p["w"])[jnp.arange(images), y])

    return jax.grad(loss), (params, normal(images, size, size, channels), rng.integers(0, 10, images).astype("i"))


def adam_step():
    """A step of Adam on 235,146 parameters in 6 arrays."""
    sizes = [784, 256, 128, 10]
    shapes = [s for m, n in zip(sizes, sizes[1:]) for s in ((m, n), (n,))]
    arrays = lambda: [normal(*s) for s in shapes]

    def step(params, grads, m, v, t):
        t = t + 1
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grads)
        update = lambda p, m, v: p - 1e-3 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return jax.tree.map(update, params, m, v), m, v, t

    return step, (arrays(), arrays(), arrays(), [np.abs(a) for a in arrays()], np.float32(3))


def gmm_grad():
    """The gradient of the mixture model of ADBench, 1000 points, 16 dimensions, 25 components."""
    n, d, k = 1000, 16, 25
    alphas, means = normal(k), normal(k, d)
    icf, x = normal(k, d + d * (d - 1) // 2, scale=0.2), normal(n, d)
    rows, cols = np.tril_indices(d, -1)

    def objective(alphas, means, icf, x):
        logdiag, lower = icf[:, :d], icf[:, d:]
        q = jax.vmap(lambda a, l: jnp.diag(jnp.exp(a)).at[rows, cols].set(l))(logdiag, lower)
        z = jnp.einsum("kij,nkj->nki", q, x[:, None, :] - means[None, :, :])
        inner = alphas + logdiag.sum(1) - 0.5 * (z**2).sum(-1)
        prior = 0.5 * jnp.sum(jnp.exp(logdiag) ** 2) + 0.5 * jnp.sum(lower**2) - jnp.sum(logdiag)
        return jnp.sum(logsumexp(inner, axis=1)) - n * logsumexp(alphas) + prior

    return jax.grad(objective, argnums=(0, 1, 2)), (alphas, means, icf, x)


def ba_jacobian():
    """The Jacobian of bundle adjustment by blocks, 2000 observations."""
    p = 2000
    cams = normal(p, 11, scale=0.1) + np.array([0.1] * 6 + [1.0] + [0.0] * 4, "f")
    points = normal(p, 3) + np.array([0, 0, 5.0], "f")

    def rotate(r, x):
        theta2 = jnp.dot(r, r)
        theta = jnp.sqrt(jnp.where(theta2 == 0, 1.0, theta2))
        w = r / theta
        turned = x * jnp.cos(theta) + jnp.cross(w, x) * jnp.sin(theta) + w * jnp.dot(w, x) * (1 - jnp.cos(theta))
        return jnp.where(theta2 == 0, x + jnp.cross(r, x), turned)

    def project(cam, x):
        xc = rotate(cam[:3], x - cam[3:6])
        q = xc[:2] / xc[2]
        r2 = q @ q
        return q * (1 + cam[9] * r2 + cam[10] * r2 * r2) * cam[6] + cam[7:9]

    def residual(cam, x, w, feat):
        return jnp.concatenate([w * (project(cam, x) - feat), 1 - w[None] ** 2])

    jacobian = jax.vmap(jax.jacrev(residual, argnums=(0, 1, 2)))
    return jacobian, (cams, points, rng.random(p).astype("f"), normal(p, 2))


PROGRAMS = [mlp_step, attention_grad, lstm_grad, resnet_block, adam_step, gmm_grad, ba_jacobian]


def seconds(f):
    """Returns the result of a call and its time."""
    start = time.perf_counter()
    result = f()
    return result, time.perf_counter() - start


def compiled(function, arguments, device):
    """Returns compiled code of a function for a device, its arguments there, and the time of compilation."""
    with jax.default_device(device):
        there = jax.device_put(arguments, device)
        jax.clear_caches()
        lowered = jax.jit(function).lower(*there)
        code, time = seconds(lowered.compile)
    return code, there, time


def check(name, want, have):
    """Stops if results differ."""
    for want, have in zip(jax.tree.leaves(want), jax.tree.leaves(have)):
        want, have = np.asarray(want), np.asarray(have)
        error = np.abs(want - have).max(initial=0.0) / (np.abs(want).max(initial=0.0) or 1.0)
        if not error <= 1e-4:
            sys.exit(f"{name}: the results differ by {error:.1e} of their scale")


def repeat(call, count):
    """Calls several times. Results are dropped when the next ones are there, as the states of a training loop are."""
    for _ in range(count):
        result = call()
    return result


def measure(program, devices, rounds):
    """Returns the times of a call and of compilation, for each device."""
    function, arguments = program()
    times = [[], []]
    for _ in range(3):
        codes = [compiled(function, arguments, device) for device in devices]
        for times_of, code in zip(times, codes):
            times_of.append(code[2])
    calls = [lambda code=code, there=there: jax.block_until_ready(code(*there)) for code, there, _ in codes]
    check(program.__name__, *(call() for call in calls))
    return interleaved(calls, rounds), [min(t) for t in times]


def interleaved(calls, rounds):
    """Returns the median times of calls, which alternate."""
    # As many calls per round as fit 20 ms.
    counts = [max(1, int(0.02 / max(seconds(call)[1], 1e-7))) for call in calls]
    samples = [[] for _ in calls]
    for _ in range(rounds):
        for call, count, sample in zip(calls, counts, samples):
            sample.append(seconds(lambda: repeat(call, count))[1] / count)
    return [statistics.median(sample) for sample in samples]


def dispatch(devices, rounds):
    """Returns the times of a call of a jitted scalar addition, for each device: one of a chain of calls, of which only
    the last one is waited for.
    """
    add, length = jax.jit(lambda x: x + 1), 1000

    def chain(x):
        for _ in range(length):
            x = add(x)
        return x.block_until_ready()

    there = [jax.device_put(np.float32(1), device) for device in devices]
    calls = [lambda x=x: chain(x) for x in there]
    check("dispatch", *(call() for call in calls))
    return [time / length for time in interleaved(calls, rounds)]


def geometric(ratios):
    return statistics.geometric_mean(ratios) if ratios else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--programs", default="")
    options = parser.parse_args()
    wanted = options.programs.split(",") if options.programs else [p.__name__ for p in PROGRAMS]
    devices = [jax.devices("cpu")[0], jax.devices("mlopt")[0]]
    print("| program | XLA, us | mlopt, us | ratio | XLA compiles, s | mlopt compiles, s | ratio |")
    print("|---|---|---|---|---|---|---|")
    ratios = {}
    for program in PROGRAMS:
        if program.__name__ not in wanted:
            continue
        (xla, ours), (xla_compiles, ours_compiles) = measure(program, devices, options.rounds)
        ratios[program.__name__] = ours / xla
        print(
            f"| {program.__name__} | {xla * 1e6:.0f} | {ours * 1e6:.0f} | {ours / xla:.2f} "
            f"| {xla_compiles:.2f} | {ours_compiles:.2f} | {ours_compiles / xla_compiles:.2f} |",
            flush=True,
        )
    without = [r for name, r in ratios.items() if name != "ba_jacobian"]
    print(f"| geometric mean | | | {geometric(list(ratios.values())):.2f} | | | |")
    print(f"| without ba_jacobian | | | {geometric(without):.2f} | | | |")
    waiting, _ = measure(scalar_addition, devices, options.rounds)
    for name, (xla, ours) in [("dispatch", dispatch(devices, options.rounds)), ("dispatch and wait", waiting)]:
        print(f"| {name} | {xla * 1e6:.1f} | {ours * 1e6:.1f} | {ours / xla:.2f} | | | |")


def scalar_addition():
    """A function that takes no time."""
    return lambda x: x + 1, (np.float32(1),)


if __name__ == "__main__":
    main()

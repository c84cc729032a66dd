"""Writes digits.csv, and trains the same network without streams, in NumPy: batches are axes of arrays, derivatives are written by hand.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn==1.9.1
    /tmp/venv/bin/python reference.py [epochs [start.safetensors]]

Starts from random numbers of its own, or from the parameters in a file that `mlopt run --save` wrote. Nothing here is part of
the build or of the tests; the tests read the table.
"""

import csv
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

TRAIN, BATCH, ROWS, UNITS, RATE = 1440, 32, 8, 16, 0.01


def load():
    """Images in an order of their own, since those of one writer stand together."""
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.images))
    return digits.images[order], digits.target[order]


def write(images, labels, path):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow([*(f"x[{k}]" for k in range(ROWS)), "end", "label", "train", "batch_end", "epoch_end"])
        for n, (image, label) in enumerate(zip(images, labels)):
            train = n < TRAIN
            batch_end = n % BATCH == BATCH - 1 if train else True
            for r, row in enumerate(image):
                end = r == ROWS - 1
                epoch_end = n == len(images) - 1
                flags = [int(end), label, int(train), int(batch_end), int(epoch_end)]
                out.writerow([*(int(x) for x in row), *flags])


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def cell(kernel, x, h, c):
    """One step of an LSTM, and what its derivative needs."""
    xh1 = np.concatenate([x, h, np.ones((len(x), 1))], axis=1)
    z = (xh1 @ kernel.T).reshape(len(x), 4, UNITS)
    f, i, o, g = sigmoid(z[:, 0]), sigmoid(z[:, 1]), sigmoid(z[:, 2]), np.tanh(z[:, 3])
    after = f * c + i * g
    t = np.tanh(after)
    return o * t, after, (xh1, f, i, o, g, t, c)


def lstm(kernel, rows):
    h = c = np.zeros((len(rows[0]), UNITS))
    kept = []
    for x in rows:
        h, c, more = cell(kernel, x, h, c)
        kept.append(more)
    return h, kept


def lstm_back(kernel, kept, dh):
    """The gradient of the kernel, of what is worth `dh` at the end."""
    dkernel, dc = np.zeros_like(kernel), np.zeros_like(dh)
    for xh1, f, i, o, g, t, c in reversed(kept):
        dc = dc + dh * o * (1 - t * t)
        dz = np.stack([dc * c * f * (1 - f), dc * g * i * (1 - i), dh * t * o * (1 - o), dc * i * (1 - g * g)], axis=1)
        dz = dz.reshape(len(dh), 4 * UNITS)
        dkernel += dz.T @ xh1
        dh, dc = (dz @ kernel)[:, ROWS : ROWS + UNITS], dc * f
    return dkernel


def features(p, images):
    rows = [images[:, r] / 16.0 for r in range(ROWS)]
    down, kept_down = lstm(p["down.cell.z.kernel"], rows)
    up, kept_up = lstm(p["up.cell.z.kernel"], rows[::-1])
    return np.concatenate([down, up], axis=1), kept_down, kept_up


def with_one(x):
    return np.concatenate([x, np.ones((len(x), 1))], axis=1)


def batch_gradients(p, images, labels):
    """Losses of the images, gradients of their sum, and the statistics of the batch."""
    seen, kept_down, kept_up = features(p, images)
    mean, var = seen.mean(axis=0), seen.var(axis=0)
    spread = np.sqrt(var + 0.001)
    normal = (seen - mean) / spread
    z = with_one(normal) @ p["kernel"].T
    e = np.exp(z)
    losses = np.log(e.sum(axis=1)) - z[np.arange(len(z)), labels]
    dz = e / e.sum(axis=1, keepdims=True)
    dz[np.arange(len(z)), labels] -= 1
    dnormal = (dz @ p["kernel"])[:, : 2 * UNITS]
    dseen = (dnormal - dnormal.mean(axis=0) - normal * (dnormal * normal).mean(axis=0)) / spread
    gradients = {
        "kernel": dz.T @ with_one(normal),
        "down.cell.z.kernel": lstm_back(p["down.cell.z.kernel"], kept_down, dseen[:, :UNITS]),
        "up.cell.z.kernel": lstm_back(p["up.cell.z.kernel"], kept_up, dseen[:, UNITS:]),
    }
    return losses, gradients, mean, var


class Adam:
    """D. Kingma and J. Ba, ICLR 2015, algorithm 1."""

    def __init__(self, p):
        self.t = 0
        self.m = {k: np.zeros_like(x) for k, x in p.items()}
        self.v = {k: np.zeros_like(x) for k, x in p.items()}

    def step(self, p, g):
        self.t += 1
        for k in p:
            self.m[k] = 0.9 * self.m[k] + 0.1 * g[k]
            self.v[k] = 0.999 * self.v[k] + 0.001 * g[k] ** 2
            m, v = self.m[k] / (1 - 0.9**self.t), self.v[k] / (1 - 0.999**self.t)
            p[k] = p[k] - RATE * m / (np.sqrt(v) + 1e-8)


def glorot(rng, rows, columns):
    return rng.uniform(-1, 1, (rows, columns)) * np.sqrt(6 / (rows + columns))


def saved(path):
    """The parameters in a .safetensors file."""
    data = Path(path).read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    names = ["kernel", "down.cell.z.kernel", "up.cell.z.kernel"]
    array = lambda h: np.frombuffer(data[8 + size :][slice(*h["data_offsets"])], "<f8").reshape(h["shape"])
    return {name: array(header[name]) for name in names}


def train(images, labels, p, epochs):
    adam = Adam(p)
    means, variances = np.zeros(2 * UNITS), np.ones(2 * UNITS)
    for epoch in range(epochs):
        losses = []
        for start in range(0, TRAIN, BATCH):
            batch = slice(start, start + BATCH)
            loss, gradients, mean, var = batch_gradients(p, images[batch], labels[batch])
            losses.extend(loss)
            adam.step(p, gradients)
            means += 0.1 * (mean - means)
            variances += 0.1 * (var - variances)
        seen = features(p, images[TRAIN:])[0]
        z = with_one((seen - means) / np.sqrt(variances + 0.001)) @ p["kernel"].T
        accuracy = (z.argmax(axis=1) == labels[TRAIN:]).mean()
        yield np.mean(losses), accuracy


def main():
    epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    images, labels = load()
    write(images, labels, Path(__file__).with_name("digits.csv"))
    starts = [saved(sys.argv[2])] if len(sys.argv) > 2 else []
    for seed in range(0 if starts else 5):
        rng = np.random.default_rng(seed)
        kernels = {name: glorot(rng, 4 * UNITS, ROWS + UNITS + 1) for name in ["down.cell.z.kernel", "up.cell.z.kernel"]}
        starts.append({"kernel": glorot(rng, 10, 2 * UNITS + 1), **kernels})
    for start in starts:
        for epoch, (loss, accuracy) in enumerate(train(images, labels, start, epochs)):
            print(f"epoch {epoch + 1}: mean loss {loss:.9f}, test accuracy {accuracy:.4f}")


main()

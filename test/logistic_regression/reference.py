"""Writes breast_cancer.csv and expected.json: the data, and an independent solution of the same problem.

    python -m venv /tmp/venv && /tmp/venv/bin/pip install scikit-learn==1.9.1 && /tmp/venv/bin/python reference.py

Nothing here is part of the build or of the tests; the tests read the two files.
"""

import csv
import json
from pathlib import Path

import numpy
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

# As in main.rs.
C = 1.0
RATE = 0.5
TRAJECTORY = [0, 1, 10, 100, 1000]

here = Path(__file__).parent
table = load_breast_cancer()
y = table.target.astype(float)
n = len(y)

with open(here / "breast_cancer.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow([*table.feature_names, "benign"])
    for row, label in zip(table.data, table.target):
        out.writerow([*(repr(float(v)) for v in row), int(label)])

x = StandardScaler().fit_transform(table.data)
sign = 2 * y - 1


def loss(w, b):
    """Mean logistic loss plus ridge: scikit-learn's objective divided by C·n; the bias is not penalised."""
    return numpy.logaddexp(0, -sign * (x @ w + b)).mean() + w @ w / (2 * C * n)


def gradient(w, b):
    pull = -sign / (1 + numpy.exp(sign * (x @ w + b)))
    return x.T @ pull / n + w / (C * n), pull.mean()


def correct(w, b):
    return int(((x @ w + b > 0) == (y > 0)).sum())


# tol is on the largest component of the gradient of scikit-learn's objective; 1e-14 runs Newton to the last digit.
model = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-14, max_iter=1000).fit(x, y)
w, b = model.coef_[0], model.intercept_[0]

# The same descent as logistic_regression.mlir, for a few epochs: where it must pass on its way.
trajectory = []
w_k, b_k = numpy.zeros(30), 0.0
for k in range(TRAJECTORY[-1] + 1):
    if k in TRAJECTORY:
        trajectory.append({"epoch": k, "loss": loss(w_k, b_k), "correct": correct(w_k, b_k)})
    w_grad, b_grad = gradient(w_k, b_k)
    w_k, b_k = w_k - RATE * w_grad, b_k - RATE * b_grad

expected = {
    "source": f"scikit-learn {sklearn.__version__}, numpy {numpy.__version__}",
    "model": "LogisticRegression(C=1.0, solver='newton-cholesky', tol=1e-14, max_iter=1000)",
    "scaling": "StandardScaler(): minus the column's mean, divided by its population standard deviation (ddof=0)",
    "loss_is": "mean of log(1 + exp(-s (w·x + b))) over the rows, s = ±1, plus w·w / (2 C n)",
    "rows": n,
    "c": C,
    "weights": w.tolist(),
    "bias": b,
    "loss": loss(w, b),
    "correct": correct(w, b),
    "largest_gradient_component": max(abs(gradient(w, b)[0]).max(), abs(gradient(w, b)[1])),
    "rate": RATE,
    "largest_stable_rate": 2 / (0.25 * numpy.linalg.eigvalsh(numpy.c_[x, numpy.ones(n)].T @ numpy.c_[x, numpy.ones(n)] / n)[-1] + 1 / (C * n)),
    "gradient_at_zero": [*gradient(numpy.zeros(30), 0.0)[0], gradient(numpy.zeros(30), 0.0)[1]],
    "trajectory": trajectory,
}
(here / "expected.json").write_text(json.dumps(expected, indent=2) + "\n")

"""The same year without streams, in plain Python. Prints the last cycle as `mlopt run` writes it to a table.

    python3 reference.py
"""
import csv
import pathlib


def limited(x):
    return min(max(x, 0.0), 12.0)


def main():
    table = csv.DictReader(open(pathlib.Path(__file__).with_name("seattle.csv")))
    outside = [(float(row["temp"]) - 32.0) / 1.8 for row in table]
    t = t_fixed = 12.0
    loss, gain = 0.02, 1.0
    colder = heat = before = None
    cold = cold_fixed = 0.0
    for n, out in enumerate(outside):
        target = 20.0 if 6 <= n % 24 < 22 else 16.0
        if n > 0:
            error = t - before - (loss * colder + gain * heat)
            step = 0.5 * error / (colder * colder + heat * heat + 1.0)
            loss, gain = loss + step * colder, gain + step * heat
        u = limited((target - t - loss * (out - t)) / max(gain, 0.05))
        u_fixed = limited(1.5 * (target - t_fixed))
        cold += max(target - t, 0.0)
        cold_fixed += max(target - t_fixed, 0.0)
        last = [n, target, t, u, loss, gain, cold, t_fixed, u_fixed, cold_fixed]
        colder, heat, before = out - t, u, t
        true_loss = 0.2 if 6000 <= n < 6672 else 0.08
        t = t + (true_loss * (out - t) + 0.4 * u)
        t_fixed = t_fixed + (true_loss * (out - t_fixed) + 0.4 * u_fixed)
    print(",".join(map(repr, last)))


main()

/* The nodes of `streams.rs` in careful hand-written C: one loop on vectors of eight numbers. */
#include <math.h>
#include <string.h>

typedef double v8 __attribute__((vector_size(64), aligned(8)));
typedef long long l8 __attribute__((vector_size(64), aligned(8)));

static inline v8 load(const double *p) { return *(const v8 *)p; }
static inline void store(double *p, v8 v) { *(v8 *)p = v; }
static inline double sum(v8 s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }

/* The adaptive filter of 16 taps. The inputs of the previous 15 cycles precede `x` in memory; `w` is state. */
void filter(long n, const double *x, const double *d, double *w, double *e) {
  v8 w0 = load(w), w1 = load(w + 8);
  for (long t = 0; t < n; t++) {
    v8 x0 = load(x + t - 15), x1 = load(x + t - 7);
    double error = d[t] - sum(x0 * w0 + x1 * w1), step = 0.05 * error;
    e[t] = error;
    w0 += step * x0;
    w1 += step * x1;
  }
  store(w, w0);
  store(w + 8, w1);
}

static inline v8 choose(l8 c, v8 a, v8 b) { return (v8)((c & (l8)a) | (~c & (l8)b)); }

/* exp, to 2 units in the last place between -700 and 700, clamped outside. */
static inline v8 vexp(v8 x) {
  v8 least = x - x - 700, most = x - x + 700;
  x = choose(x < least, least, choose(x > most, most, x));
  v8 shift = x - x + 0x1.8p52;
  v8 n = x * 0x1.71547652b82fep0 + shift;
  l8 bits = (l8)n;
  n -= shift;
  v8 r = x - n * 0x1.62e42fefa39efp-1 - n * 0x1.abc9e3b39803fp-56;
  static const double c[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
                             1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0, 1.0};
  v8 p = x - x + c[0];
  for (int k = 1; k < 13; k++) p = p * r + c[k];
  return (v8)((l8)p + (bits << 52));
}

static inline v8 logistic(v8 x) { return 1.0 / (1.0 + vexp(-x)); }
static inline v8 vtanh(v8 x) { return 1.0 - 2.0 / (1.0 + vexp(2.0 * x)); }

enum { IN = 16, H = 32, GATES = 4 * H, ALL = IN + H + 1 };

/* A step of an LSTM. `kernel` has a row of all gates for each of x, h and 1; h and c are state. */
void lstm(long n, const double *x, const double *kernel, double *h, double *c, double *out) {
  double z[ALL];
  for (long t = 0; t < n; t++) {
    memcpy(z, x + t * IN, sizeof(double) * IN);
    memcpy(z + IN, h, sizeof(double) * H);
    z[IN + H] = 1;
    v8 sums[GATES / 8];
    for (int g = 0; g < GATES / 8; g++) sums[g] = load(kernel + (ALL - 1) * GATES + 8 * g);
    for (int k = 0; k < ALL - 1; k++)
      for (int g = 0; g < GATES / 8; g++) sums[g] += z[k] * load(kernel + k * GATES + 8 * g);
    for (int g = 0; g < H / 8; g++) {
      v8 i = logistic(sums[g]), f = logistic(sums[H / 8 + g]), o = logistic(sums[2 * H / 8 + g]), a = vtanh(sums[3 * H / 8 + g]);
      v8 next = f * load(c + 8 * g) + i * a;
      store(c + 8 * g, next);
      store(h + 8 * g, o * vtanh(next));
    }
    memcpy(out + t * H, h, sizeof(double) * H);
  }
}

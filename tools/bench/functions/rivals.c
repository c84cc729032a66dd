/* The programs of this folder in hand-written C. A function value is a pointer to code, with the captured values. */
#include <math.h>
#include <stdlib.h>

/* Church lists: a list is represented by its fold. */
typedef struct step step;
typedef struct list list;
struct step { double (*call)(const step *, double x, double s); const step *inner; double captured; };
struct list { double (*fold)(const list *, const step *f, double d); double head; const list *inner; const step *g; };

static double fold_none(const list *l, const step *f, double d) { (void)l, (void)f; return d; }
static double fold_cons(const list *l, const step *f, double d) { return f->call(f, l->head, l->inner->fold(l->inner, f, d)); }
static double step_mapped(const step *m, double x, double s) { return m->inner->call(m->inner, m[1].call(&m[1], x, 0.0), s); }
static double step_filtered(const step *m, double x, double s) {
  return m[1].call(&m[1], x, 0.0) != 0.0 ? m->inner->call(m->inner, x, s) : s;
}
static double fold_mapped(const list *l, const step *f, double d) {
  step m[2] = {{step_mapped, f, 0.0}, *l->g};
  return l->inner->fold(l->inner, m, d);
}
static double fold_filtered(const list *l, const step *f, double d) {
  step m[2] = {{step_filtered, f, 0.0}, *l->g};
  return l->inner->fold(l->inner, m, d);
}
static double plus(const step *f, double x, double s) { (void)f; return x + s; }
static double is_positive(const step *f, double x, double s) { (void)f, (void)s; return x > 0.0; }
static double grown(const step *f, double x, double s) { (void)f, (void)s; return x * (x + 1.0); }
static double centred(const step *f, double x, double s) { (void)s; return 0.01 * (x - f->captured); }
static double sum(const list *l) {
  step f = {plus, 0, 0.0};
  return l->fold(l, &f, 0.0);
}

double church(const double *xs, long n) {
  const list none = {fold_none, 0.0, 0, 0};
  const step positive = {is_positive, 0, 0.0}, grow = {grown, 0, 0.0};
  double total = 0.0;
  for (long i = 0; i < n; i++) {
    list l[4];
    for (int k = 3; k >= 0; k--) l[k] = (list){fold_cons, xs[4 * i + k], k == 3 ? &none : &l[k + 1], 0};
    const step centre = {centred, 0, total};
    const list left = {fold_filtered, 0.0, &l[0], &positive}, mapped = {fold_mapped, 0.0, &left, &grow};
    const list other = {fold_mapped, 0.0, &l[0], &centre};
    total += sum(&mapped) * sum(&other);
  }
  return total;
}

static double grown_sum(const step *f, double x, double s) { (void)f; return x * (x + 1.0) + s; }

/* A list of n numbers, built and folded a hundred times. */
double built(const double *xs, long n) {
  const step f = {grown_sum, 0, 0.0};
  double s = 0.0;
  for (int round = 0; round < 100; round++) {
    list *l = malloc((n + 1) * sizeof(list));
    l[n] = (list){fold_none, 0.0, 0, 0};
    for (long i = n - 1; i >= 0; i--) l[i] = (list){fold_cons, xs[i], &l[i + 1], 0};
    s = l->fold(l, &f, 0.5 * s);
    free(l);
  }
  return s;
}

/* Continuation-passing style: the continuation is an argument. */
typedef struct next next;
struct next { double (*call)(const next *, double v); const next *k; long i, n; double s; const double *xs; };
static double times(double a, double b, const next *k) { return k->call(k, a * b); }
static double add(double a, double b, const next *k) { return k->call(k, a + b); }
static double root(double a, const next *k) { return k->call(k, sqrt(a)); }
static double each(long i, long n, double s, const double *xs, const next *k);
static double then_each(const next *f, double t) { return each(f->i + 1, f->n, t, f->xs, f->k); }
static double then_add(const next *f, double half) {
  next g = *f;
  g.call = then_each;
  return add(half, f->s, &g);
}
static double then_halve(const next *f, double r) {
  next g = *f;
  g.call = then_add, g.s = r;
  return times(f->s, 0.5, &g);
}
static double then_root(const next *f, double y) {
  next g = *f;
  g.call = then_halve;
  return root(y, &g);
}
static double then_one(const next *f, double xx) {
  next g = *f;
  g.call = then_root;
  return add(xx, 1.0, &g);
}
static double each(long i, long n, double s, const double *xs, const next *k) {
  if (i >= n) return k->call(k, s);
  next f = {then_one, k, i, n, s, xs};
  return times(xs[i], xs[i], &f);
}
static double doubled(const next *f, double s) { (void)f; return 2.0 * s; }
double cps(const double *xs, long n) {
  next k = {doubled, 0, 0, 0, 0.0, 0};
  return each(0, n, 0.0, xs, &k);
}

/* Growing continuations: each captures the previous one. */
typedef struct grown_next grown_next;
struct grown_next { double (*call)(const grown_next *, double v); const grown_next *k; double x; };
static double add_to(const grown_next *f, double v) { return f->k->call(f->k, f->x + 0.5 * v); }
static double end(const grown_next *f, double v) { (void)f; return v; }
static double growing_each(const double *xs, long i, long n, const grown_next *k, double s) {
  if (i >= n) return k->call(k, s);
  grown_next f = {add_to, k, xs[i]};
  return growing_each(xs, i + 1, n, &f, s);
}
double growing(const double *xs, long n) {
  grown_next k = {end, 0, 0.0};
  double s = 0.0;
  for (int round = 0; round < 100; round++) s = growing_each(xs, 0, n, &k, s);
  return s;
}

/* Parser combinators. */
typedef struct parser parser;
typedef struct { int fits; double value; long at; } parsed;
struct parser {
  parsed (*call)(const parser *, long at);
  const parser *p, *q;
  double (*f)(double, double);
  int (*is)(double);
  const double *text;
  long n;
};
static parsed satisfy(const parser *s, long at) {
  if (at >= s->n) return (parsed){0, 0.0, at};
  double c = s->text[at];
  return (parsed){s->is(c), c, at + 1};
}
static parsed succeed(const parser *s, long at) { (void)s; return (parsed){1, 0.0, at}; }
static parsed then(const parser *s, long at) {
  parsed a = s->p->call(s->p, at);
  return a.fits ? s->q->call(s->q, a.at) : a;
}
static parsed many_after(const parser *s, long at) {
  parsed v = s->p->call(s->p, at);
  if (!v.fits) return v;
  for (;;) {
    parsed a = s->q->call(s->q, v.at);
    if (!a.fits) return v;
    v.value = s->f(v.value, a.value), v.at = a.at;
  }
}
static int is_digit(double c) { return c >= 48.0 && c <= 57.0; }
static int is_star(double c) { return c == 42.0; }
static int is_plus(double c) { return c == 43.0; }
static double digits(double v, double d) { return 10.0 * v + (d - 48.0); }
static double product(double v, double w) { return v * w; }
static double total(double v, double w) { return v + w; }
double parse(const double *text, long n) {
  const parser digit = {satisfy, 0, 0, 0, is_digit, text, n}, star = {satisfy, 0, 0, 0, is_star, text, n};
  const parser plus = {satisfy, 0, 0, 0, is_plus, text, n}, nothing = {succeed, 0, 0, 0, 0, 0, 0};
  const parser number = {many_after, &nothing, &digit, digits, 0, 0, 0}, factor = {then, &star, &number, 0, 0, 0, 0};
  const parser term = {many_after, &number, &factor, product, 0, 0, 0}, more = {then, &plus, &term, 0, 0, 0, 0};
  const parser all = {many_after, &term, &more, total, 0, 0, 0};
  return all.call(&all, 0).value;
}

/* A network whose layers are functions. */
typedef struct layer layer;
struct layer { void (*call)(const layer *, const double *x, double *y); const double *w, *b; };
static void dense(const layer *l, const double *x, double *y) {
  for (int i = 0; i < 64; i++) {
    double s = 0.0;
    for (int j = 0; j < 64; j++) s += l->w[64 * i + j] * x[j];
    y[i] = s + l->b[i];
  }
}
static void activation(const layer *l, const double *x, double *y) {
  (void)l;
  for (int i = 0; i < 64; i++) y[i] = tanh(x[i]);
}
double mlp(const double *const *p) {
  const layer layers[5] = {{dense, p[0], p[1]}, {activation, 0, 0}, {dense, p[2], p[3]}, {activation, 0, 0}, {dense, p[4], p[5]}};
  double buffers[2][64], s = 0.0;
  const double *x = p[6];
  for (int k = 0; k < 5; k++) {
    layers[k].call(&layers[k], x, buffers[k % 2]);
    x = buffers[k % 2];
  }
  for (int i = 0; i < 64; i++) s += x[i] * x[i];
  return s;
}

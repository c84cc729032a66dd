/* Calls compiled functions once each, under valgrind: `counted` is what callgrind collects. Functions of the C library
   run uncollected in wrappers (`--wrap` of the linker), for their instructions depend on the processor and on the
   library; each is charged a fixed number. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instructions for a call: of a mathematical function, of a function that works on memory, and of the allocator. */
enum { MATHS = 40, MEMORY = 8, ALLOCATOR = 60, BYTES_AN_INSTRUCTION = 32 };

static int64_t charge;

#define ONE(name) \
    double __wrap_##name(double x) { charge += MATHS; return name(x); } \
    float __wrap_##name##f(float x) { charge += MATHS; return name##f(x); }
#define TWO(name) \
    double __wrap_##name(double x, double y) { charge += MATHS; return name(x, y); } \
    float __wrap_##name##f(float x, float y) { charge += MATHS; return name##f(x, y); }

ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(erf)
ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(rint) ONE(round)
ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(trunc) TWO(atan2) TWO(copysign) TWO(fmax) TWO(fmin) TWO(fmod) TWO(pow)

double __wrap_fma(double x, double y, double z) { charge += MATHS; return fma(x, y, z); }
float __wrap_fmaf(float x, float y, float z) { charge += MATHS; return fmaf(x, y, z); }
double __wrap_ldexp(double x, int n) { charge += MATHS; return ldexp(x, n); }
float __wrap_ldexpf(float x, int n) { charge += MATHS; return ldexpf(x, n); }
double __wrap_roundeven(double x) { charge += MATHS; return nearbyint(x); }
float __wrap_roundevenf(float x) { charge += MATHS; return nearbyintf(x); }
void __wrap_sincos(double x, double *s, double *c) { charge += 2 * MATHS; sincos(x, s, c); }
void __wrap_sincosf(float x, float *s, float *c) { charge += 2 * MATHS; sincosf(x, s, c); }

static void bytes(size_t n) { charge += MEMORY + n / BYTES_AN_INSTRUCTION; }
void *__wrap_memset(void *p, int c, size_t n) { bytes(n); return memset(p, c, n); }
void *__wrap_memcpy(void *p, const void *q, size_t n) { bytes(n); return memcpy(p, q, n); }
void *__wrap_memmove(void *p, const void *q, size_t n) { bytes(n); return memmove(p, q, n); }
void *__wrap_malloc(size_t n) { charge += ALLOCATOR; return malloc(n); }
void *__wrap_aligned_alloc(size_t a, size_t n) { charge += ALLOCATOR; return aligned_alloc(a, n); }
void __wrap_free(void *p) { charge += ALLOCATOR; free(p); }

/* The size of the stack, which code of recursion asks for once. */
int __wrap_pthread_getattr_np(pthread_t t, pthread_attr_t *a) { charge += ALLOCATOR; return pthread_getattr_np(t, a); }
int __wrap_pthread_attr_getstack(const pthread_attr_t *a, void **p, size_t *n) {
    charge += MEMORY;
    return pthread_attr_getstack(a, p, n);
}
int __wrap_pthread_attr_getguardsize(const pthread_attr_t *a, size_t *n) {
    charge += MEMORY;
    return pthread_attr_getguardsize(a, n);
}
int __wrap_pthread_attr_destroy(pthread_attr_t *a) { charge += MEMORY; return pthread_attr_destroy(a); }

typedef int64_t packed(void **, int64_t *);
typedef int64_t data(const void *, const void *, void *, int64_t, char *, int64_t);

enum { PACKED, PACKED_WITH_STATUS, DATA };

/* The function whose entry and exit callgrind sees. */
__attribute__((noinline))
int64_t counted(int64_t form, void *f, void **buffers, int64_t *sizes, char *message, int64_t n) {
    if (form == DATA) return ((data *)f)(buffers[0], buffers[1], buffers[2], sizes[0], message, n);
    return ((packed *)f)(buffers, sizes);
}

static void fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static int64_t word(FILE *file, const char *what) {
    long long n;
    if (fscanf(file, "%lld", &n) != 1) fail(what, "the list of functions ends early");
    return n;
}

static void *memory(int64_t n) {
    void *p = aligned_alloc(64, (n + 64) / 64 * 64 + 64);
    if (!p) fail("memory", "there is not enough");
    return p;
}

enum { MOST = 256 };

/* The list has for each function: the library, its inputs as bytes, where results go, the symbol, the form of the call,
   the number of inputs and the bytes of each, the number of sizes of inputs and each, the number of results, and of each
   the bytes of an element, the number of extents, and those, -1 where `sizes` says it. */
int main(int argc, char **argv) {
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!list) fail("usage", "driver LIST");
    char library[4096], given[4096], shown[4096], symbol[4096], name[4200];
    while (fscanf(list, "%4095s %4095s %4095s %4095s", library, given, shown, symbol) == 4) {
        int64_t form = word(list, symbol), inputs = word(list, symbol), sizes[MOST], answer[MOST], room[MOST];
        void *buffers[MOST];
        FILE *file = fopen(given, "rb");
        if (!file || inputs > MOST / 4) fail(given, "it cannot be read");
        for (int64_t k = 0; k < inputs; k++) {
            int64_t n = word(list, symbol);
            buffers[k] = memory(n);
            if (fread(buffers[k], 1, n, file) != (size_t)n) fail(given, "it is too short");
        }
        fclose(file);
        void *code = dlopen(library, RTLD_NOW | RTLD_LOCAL);
        if (!code) fail(library, dlerror());
        int64_t known = word(list, symbol);
        for (int64_t k = 0; k < known; k++) sizes[k] = word(list, symbol);
        if (form != DATA) {
            snprintf(name, sizeof name, "%s.sizes.packed", symbol);
            packed *ask = (packed *)dlsym(code, name);
            if (!ask) fail(name, "there is no such function");
            buffers[inputs] = answer;
            ask(buffers, sizes);
            if (answer[0]) fail(symbol, "its sizes do not fit");
        }
        int64_t results = word(list, symbol), unknown = 0;
        if (inputs + results + 1 > MOST) fail(symbol, "it has too many arguments");
        for (int64_t k = 0; k < results; k++) {
            int64_t n = word(list, symbol), rank = word(list, symbol);
            for (int64_t d = 0; d < rank; d++) {
                int64_t extent = word(list, symbol);
                if (extent < 0) {
                    extent = answer[2 + unknown];
                    sizes[known + unknown++] = extent;
                }
                n *= extent;
            }
            room[k] = n;
            buffers[inputs + k] = memory(n);
        }
        snprintf(name, sizeof name, form != DATA ? "%s.packed" : "%s", symbol);
        void *f = dlsym(code, name);
        if (!f) fail(name, "there is no such function");
        char message[256] = "";
        int64_t status;
        void *scratch = NULL;
        if (form != DATA) {
            buffers[inputs + results] = scratch = memory(answer[1]);
            sizes[known + unknown] = answer[1];
        }
        charge = 0;
        status = counted(form, f, buffers, sizes, message, sizeof message);
        free(scratch);
        if (form != PACKED && status) fail(symbol, message[0] ? message : "it stops");
        printf("%lld\n", (long long)charge);
        file = fopen(shown, "wb");
        for (int64_t k = 0; file && k < results; k++) fwrite(buffers[inputs + k], 1, room[k], file);
        if (!file || fclose(file)) fail(shown, "it cannot be written");
        for (int64_t k = 0; k < inputs + results; k++) free(buffers[k]);
        dlclose(code);
    }
    return 0;
}

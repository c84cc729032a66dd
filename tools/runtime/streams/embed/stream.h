/* Runs reactive nodes that mlopt compiled. Constant tables describe a node. Its data are in one block of memory, which
   the caller provides; no function allocates memory. C99 or C++. */
#ifndef MLOPT_STREAM_H
#define MLOPT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The status of a call. */
typedef enum {
  MLOPT_OK,
  MLOPT_CLOCK,        /* E-RT-CLOCK: an input is present in a cycle in which it must be absent, or the reverse */
  MLOPT_DIVISION,     /* E-RT-OP: integer division by zero */
  MLOPT_HORIZON,      /* E-RT-HORIZON: the node already stores as many cycles as the horizon allows */
  MLOPT_UNTERMINATED, /* E-RT-UNTERMINATED: the streams end before all outputs are known */
  MLOPT_ENDED,        /* the streams have ended: reset the node before the next step */
  MLOPT_NAME,         /* no parameter or delay has this name */
  MLOPT_SIZE          /* the value has a different size */
} mlopt_status;

/* Returns the error code of the specification, or a word if it has none. */
static inline const char *mlopt_code(mlopt_status status) {
  switch (status) {
  case MLOPT_OK: return "OK";
  case MLOPT_CLOCK: return "E-RT-CLOCK";
  case MLOPT_DIVISION: return "E-RT-OP";
  case MLOPT_HORIZON: return "E-RT-HORIZON";
  case MLOPT_UNTERMINATED: return "E-RT-UNTERMINATED";
  case MLOPT_ENDED: return "ENDED";
  case MLOPT_NAME: return "NAME";
  case MLOPT_SIZE: return "SIZE";
  }
  return "";
}

/* The presence of an output in a cycle. After an error it is MLOPT_UNKNOWN in the cycles that depend on inputs
   that were not processed. */
typedef enum { MLOPT_ABSENT, MLOPT_PRESENT, MLOPT_UNKNOWN } mlopt_presence;

/* The error that stopped a node. */
typedef struct {
  mlopt_status status;
  int64_t cycle;      /* the cycle of the error; after the end of the streams, the number of cycles */
  int64_t start;      /* HORIZON: the first cycle of the sequence; UNTERMINATED: the first with an unknown output */
  const char *stream; /* CLOCK: the input; DIVISION: the quotient; HORIZON: the condition that ends the sequence;
                         UNTERMINATED: the output */
} mlopt_stop;

/* A value that can be read and set by name: a parameter, or the state of a delay. */
typedef struct {
  const char *name, *type;
  bool is_state;
  int32_t index;
  size_t bytes;
} mlopt_named;

/* The rest of this file is internal: the functions of nodes below use it, programs do not. */

/* The kinds of arguments and results of compiled code. */
enum { MLOPT_AT_ROWS, MLOPT_AT_HELD, MLOPT_AT_STATE, MLOPT_AT_COUNT };

typedef struct {
  uint8_t kind;  /* rows of a column, a parameter or initial value, the state, or the number of cycles */
  int32_t index;
} mlopt_place;

typedef struct {
  void (*run)(void **, int64_t *);
  void (*sizes)(void **, int64_t *);
  const mlopt_place *places; /* arguments, then results */
  int32_t arguments, results;
} mlopt_function;

/* An input or an output. Each number is a column or -1. The columns contain: its values, whether they are known, its
   clock, whether the clock is known, and, for an input that is not on the base clock, whether a value was passed. */
typedef struct {
  const char *name;
  int32_t rows, is_known, clock, clock_is_known, given;
} mlopt_port;

/* A condition that ends a recurrence backward in time, and that is an input. */
typedef struct {
  int32_t input;
  bool holds;
} mlopt_break;

typedef struct {
  const mlopt_function *starts; /* run before the first cycle; the last one returns the initial state */
  const mlopt_function *sweeps; /* run over the stored cycles, the forward sweep first; then optionally: the ends of
                                   sequences, one whole sequence */
  const int64_t *columns;       /* bytes of a row; the first `n_kept` columns belong to inputs */
  const int64_t *held, *states; /* bytes */
  const int32_t *masks;         /* columns: which values of look-aheads are known */
  const int32_t *marks;         /* columns: which outputs, presences and clocks are known */
  const int32_t *firsts;        /* states that are true before the first cycle of a sequence */
  const int32_t *promised;      /* inputs that do not change within a sequence */
  const mlopt_port *inputs, *outputs;
  const mlopt_break *breaks;
  const char *const *quotients;
  const mlopt_named *named;
  const char *awaited;
  int32_t n_starts, n_sweeps, n_wholes, n_columns, n_kept, n_held, n_states, n_masks, n_marks, n_firsts, n_promised;
  int32_t n_inputs, n_outputs, n_breaks, n_named;
  int32_t settled, closed, fault, end; /* columns, or -1 */
  int32_t boundary;                    /* the input that ends sequences, or -1 */
  bool is_ended; /* no look-ahead passes a cycle in which one of `breaks` holds */
  bool is_whole; /* the state is unknown within a sequence */
  int32_t most;  /* maximum number of arguments and results of a function, with its scratch memory */
} mlopt_stream;

typedef struct {
  const mlopt_stream *stream;
  int64_t horizon, room;
  mlopt_stop stop;
  int64_t fed, cycle;          /* the number of cycles that were passed, and of those taken or discarded */
  int64_t rows, ready, taken;  /* the number of stored active cycles; of these, finished; of these, taken */
  int64_t quiet;               /* inactive cycles taken since the last row */
  int64_t retry;               /* the minimum number of rows for which another attempt is made */
  int64_t count;
  int32_t now;                 /* the index of the current copy of the state */
  void **held, **state[2], **columns, **buffers;
  int64_t *sizes, *gaps;       /* `gaps`: the number of inactive cycles before each row */
  void *scratch;
} mlopt_node;

enum { MLOPT_HEAD = 256, MLOPT_WORD = 8, MLOPT_LINE = 64 };
typedef char mlopt_head_fits[sizeof(mlopt_node) <= MLOPT_HEAD && sizeof(void *) == MLOPT_WORD ? 1 : -1];

/* Adds `count` times `bytes`, rounded up to the alignment, to the size `*at`, which becomes -1 on overflow. Returns the
   address of the added part. */
static inline uint8_t *mlopt_part(uint8_t *memory, int64_t *at, int64_t bytes, int64_t count) {
  int64_t start = *at;
  if (start < 0) return NULL;
  if (bytes < 0 || count < 0 || (bytes > 0 && count > (INT64_MAX / 2 - start) / bytes)) {
    *at = -1;
    return NULL;
  }
  /* Compiled code may read the first element of an empty array. */
  if (count > 0 && bytes == 0) bytes = count = 1;
  *at = start + (bytes * count + MLOPT_WORD - 1) / MLOPT_WORD * MLOPT_WORD;
  return memory ? memory + start : NULL;
}

static inline void **mlopt_table(uint8_t *memory, int64_t *at, int64_t count) {
  return (void **)(void *)mlopt_part(memory, at, MLOPT_WORD, count);
}

/* Lays out a node in `memory`, if that is not NULL. Returns the size of the node in bytes, -1 on overflow. */
static inline int64_t mlopt_lay(const mlopt_stream *s, int64_t horizon, int64_t room, uint8_t *memory) {
  mlopt_node *n = (mlopt_node *)(void *)memory;
  int64_t at = MLOPT_HEAD;
  void **held = mlopt_table(memory, &at, s->n_held);
  void **before = mlopt_table(memory, &at, s->n_states);
  void **after = mlopt_table(memory, &at, s->n_states);
  void **columns = mlopt_table(memory, &at, s->n_columns);
  void **buffers = mlopt_table(memory, &at, s->most);
  uint8_t *sizes = mlopt_part(memory, &at, MLOPT_WORD, s->most);
  uint8_t *gaps = s->n_sweeps > 1 ? mlopt_part(memory, &at, MLOPT_WORD, horizon + 1) : NULL;
  for (int32_t k = 0; k < s->n_held; k++) {
    uint8_t *part = mlopt_part(memory, &at, s->held[k], 1);
    if (n) held[k] = part;
  }
  for (int32_t k = 0; k < 2 * s->n_states; k++) {
    uint8_t *part = mlopt_part(memory, &at, s->states[k / 2], 1);
    if (n) (k % 2 ? after : before)[k / 2] = part;
  }
  for (int32_t k = 0; k < s->n_columns; k++) {
    uint8_t *part = mlopt_part(memory, &at, s->columns[k], horizon);
    if (n) columns[k] = part;
  }
  uint8_t *scratch = NULL;
  if (room != 0) {
    scratch = mlopt_part(memory, &at, 1, room < 0 ? -1 : room);
    mlopt_part(memory, &at, MLOPT_LINE - MLOPT_WORD, 1);
  }
  if (n) {
    n->stream = s;
    n->horizon = horizon;
    n->room = room;
    n->held = held;
    n->state[0] = before;
    n->state[1] = after;
    n->columns = columns;
    n->buffers = buffers;
    n->sizes = (int64_t *)(void *)sizes;
    n->gaps = (int64_t *)(void *)gaps;
    n->scratch = (void *)(((uintptr_t)scratch + MLOPT_LINE - 1) / MLOPT_LINE * MLOPT_LINE);
  }
  return at;
}

/* Returns the maximum scratch memory of a function for `horizon` cycles, -1 if it does not fit an int64_t. `buffers`
   and `sizes` have `most` elements. */
static inline int64_t mlopt_room(const mlopt_stream *s, int64_t horizon, void **buffers, int64_t *sizes, int64_t *answer) {
  int64_t most = 0;
  for (int32_t k = 0; k < s->n_starts + s->n_sweeps + s->n_wholes; k++) {
    const mlopt_function *f = k < s->n_starts ? &s->starts[k] : &s->sweeps[k - s->n_starts];
    for (int32_t j = 0; j < f->arguments + f->results; j++) sizes[j] = horizon;
    /* Sizes depend only on the number of cycles. */
    for (int32_t j = 0; j < f->arguments; j++) buffers[j] = &horizon;
    buffers[f->arguments] = answer;
    f->sizes(buffers, sizes);
    if (answer[0] != 0) return -1;
    if (answer[1] > most) most = answer[1];
  }
  return most;
}

/* Returns the size in bytes of memory of any alignment for a node, SIZE_MAX on overflow. */
static inline size_t mlopt_memory(const mlopt_stream *s, int64_t horizon, int64_t room) {
  int64_t bytes = horizon < 1 || horizon > INT64_MAX / 16 ? -1 : mlopt_lay(s, horizon, room, NULL);
  return bytes < 0 ? SIZE_MAX : (size_t)bytes + MLOPT_WORD - 1;
}

/* Calls compiled code for the first `rows` cycles. */
static inline void mlopt_call(mlopt_node *n, const mlopt_function *f, int64_t rows) {
  void **buffer = n->buffers;
  int64_t *size = n->sizes;
  n->count = rows;
  for (int32_t k = 0; k < f->arguments + f->results; k++) {
    mlopt_place p = f->places[k];
    switch (p.kind) {
    case MLOPT_AT_ROWS:
      *buffer++ = n->columns[p.index];
      *size++ = rows;
      break;
    case MLOPT_AT_HELD: *buffer++ = n->held[p.index]; break;
    case MLOPT_AT_STATE: *buffer++ = n->state[k < f->arguments ? n->now : !n->now][p.index]; break;
    default: *buffer++ = &n->count;
    }
  }
  *buffer = n->scratch;
  *size = n->room;
  f->run(n->buffers, n->sizes);
}

/* Returns to the state before the first cycle. Parameters are kept. */
static inline void mlopt_restart(mlopt_node *n) {
  mlopt_call(n, &n->stream->starts[n->stream->n_starts - 1], 1);
  n->now = !n->now;
  memset(&n->stop, 0, sizeof n->stop);
  n->fed = n->cycle = n->rows = n->ready = n->taken = n->quiet = n->retry = 0;
  if (n->gaps) n->gaps[0] = 0;
}

/* Creates a node in `memory`. Returns NULL if the memory is too small. */
static inline mlopt_node *mlopt_open(const mlopt_stream *s, void *memory, size_t bytes, int64_t horizon, int64_t room) {
  size_t needed = mlopt_memory(s, horizon, room);
  if (!memory || needed == SIZE_MAX || bytes < needed) return NULL;
  uint8_t *block = (uint8_t *)(((uintptr_t)memory + MLOPT_WORD - 1) / MLOPT_WORD * MLOPT_WORD);
  memset(block, 0, needed - (MLOPT_WORD - 1));
  mlopt_lay(s, horizon, room, block);
  mlopt_node *n = (mlopt_node *)(void *)block;
  for (int32_t k = 0; k + 1 < s->n_starts; k++) mlopt_call(n, &s->starts[k], 1);
  mlopt_restart(n);
  return n;
}

static inline const mlopt_named *mlopt_find(const mlopt_stream *s, const char *name) {
  for (int32_t k = 0; k < s->n_named; k++)
    if (strcmp(s->named[k].name, name) == 0) return &s->named[k];
  return NULL;
}

static inline void *mlopt_named_value(const mlopt_node *n, const mlopt_named *named) {
  return named->is_state ? n->state[n->now][named->index] : n->held[named->index];
}

static inline mlopt_status mlopt_get(const mlopt_node *n, const char *name, void *value, size_t bytes) {
  const mlopt_named *found = mlopt_find(n->stream, name);
  if (!found) return MLOPT_NAME;
  if (found->bytes != bytes) return MLOPT_SIZE;
  memcpy(value, mlopt_named_value(n, found), bytes);
  return MLOPT_OK;
}

static inline mlopt_status mlopt_set(mlopt_node *n, const char *name, const void *value, size_t bytes) {
  const mlopt_named *found = mlopt_find(n->stream, name);
  if (!found) return MLOPT_NAME;
  if (found->bytes != bytes) return MLOPT_SIZE;
  memcpy(mlopt_named_value(n, found), value, bytes);
  /* The initial values of delays may depend on it. */
  if (!found->is_state && n->fed == 0) mlopt_restart(n);
  return MLOPT_OK;
}

static inline mlopt_status mlopt_halt(mlopt_node *n, mlopt_status status, int64_t cycle, int64_t start, const char *stream) {
  n->stop.status = status;
  n->stop.cycle = cycle;
  n->stop.start = start;
  n->stop.stream = stream;
  return status;
}

/* Returns the value of a column of booleans in a row. A missing column is true. */
static inline bool mlopt_holds(const mlopt_node *n, int32_t column, int64_t row) {
  return column < 0 || ((const bool *)n->columns[column])[row];
}

enum { MLOPT_NONE = -1, MLOPT_QUIET = -2 };

static inline mlopt_presence mlopt_output(const mlopt_node *n, int32_t output, int64_t row) {
  const mlopt_port *p = &n->stream->outputs[output];
  if (row == MLOPT_QUIET) return MLOPT_ABSENT;
  if (!mlopt_holds(n, p->clock_is_known, row)) return MLOPT_UNKNOWN;
  if (!mlopt_holds(n, p->clock, row)) return MLOPT_ABSENT;
  return mlopt_holds(n, p->is_known, row) ? MLOPT_PRESENT : MLOPT_UNKNOWN;
}

/* Takes the next finished cycle. Returns its row, MLOPT_QUIET if the cycle is inactive, or MLOPT_NONE. */
static inline int64_t mlopt_next(mlopt_node *n) {
  if (n->quiet < n->gaps[n->taken]) {
    n->quiet++;
    n->cycle++;
    return MLOPT_QUIET;
  }
  if (n->taken == n->ready) return MLOPT_NONE;
  n->quiet = 0;
  n->cycle++;
  return n->taken++;
}

/* The same for a node that does not look ahead: the last cycle can be taken once. */
static inline int64_t mlopt_next_of_one(mlopt_node *n) {
  if (n->taken == n->ready) return MLOPT_NONE;
  n->taken = n->ready;
  n->cycle = n->fed;
  return n->quiet ? MLOPT_QUIET : 0;
}

/* Discards the finished cycles. */
static inline void mlopt_forget(mlopt_node *n) {
  const mlopt_stream *s = n->stream;
  while (mlopt_next(n) != MLOPT_NONE) {}
  n->gaps[n->ready] = 0;
  if (n->ready > 0) {
    n->rows -= n->ready;
    for (int32_t k = 0; k < s->n_kept; k++) {
      uint8_t *column = (uint8_t *)n->columns[k];
      memmove(column, column + n->ready * s->columns[k], (size_t)(n->rows * s->columns[k]));
    }
    memmove(n->gaps, n->gaps + n->ready, (size_t)(n->rows + 1) * sizeof *n->gaps);
  }
  n->ready = n->taken = n->quiet = 0;
}

/* Sweeps over the stored cycles until no further value becomes known. Returns the number of cycles at the beginning of
   which all values are known. If it is positive, the state becomes the one after these cycles. */
static inline int64_t mlopt_resolve(mlopt_node *n) {
  const mlopt_stream *s = n->stream;
  int64_t known = 0, resolved;
  for (int32_t k = 0; k < s->n_masks; k++) memset(n->columns[s->masks[k]], 0, (size_t)n->rows);
  for (;;) {
    int64_t seen = 0, settled = 0;
    mlopt_call(n, &s->sweeps[0], n->rows);
    while (settled < n->rows && mlopt_holds(n, s->settled, settled)) settled++;
    resolved = settled;
    while (resolved > 0 && !mlopt_holds(n, s->closed, resolved - 1)) resolved--;
    if (resolved == n->rows) break;
    for (int32_t k = 1; k < s->n_sweeps; k++) mlopt_call(n, &s->sweeps[k], n->rows);
    /* A known value stays known, so a change of the count shows progress. */
    for (int32_t k = 0; k < s->n_masks; k++)
      for (int64_t r = 0; r < n->rows; r++) seen += mlopt_holds(n, s->masks[k], r);
    if (seen == known) break;
    known = seen;
  }
  if (resolved > 0) {
    /* Repeats the forward sweep over these cycles only, to compute the state after them. */
    if (resolved < n->rows) mlopt_call(n, &s->sweeps[0], resolved);
    n->now = !n->now;
  }
  return resolved;
}

/* Checks whether the first stored cycle is the first cycle of a sequence. */
static inline bool mlopt_is_first(const mlopt_node *n) {
  const mlopt_stream *s = n->stream;
  for (int32_t k = 0; k < s->n_firsts; k++)
    if (!*(const bool *)n->state[n->now][s->firsts[k]]) return false;
  return s->n_wholes > 0;
}

/* Computes the first stored sequence, if all of its cycles are stored. Returns its length, or 0. */
static inline int64_t mlopt_whole(mlopt_node *n) {
  const mlopt_stream *s = n->stream;
  const mlopt_function *wholes = s->sweeps + s->n_sweeps;
  int64_t rows = 1;
  if (!mlopt_is_first(n)) return 0;
  mlopt_call(n, &wholes[0], n->rows);
  while (rows <= n->rows && !mlopt_holds(n, s->end, rows - 1)) rows++;
  if (rows > n->rows) return 0;
  mlopt_call(n, &wholes[1], rows);
  for (int32_t k = 0; k < s->n_marks; k++) memset(n->columns[s->marks[k]], 1, (size_t)rows);
  n->now = !n->now;
  return rows;
}

static inline int64_t mlopt_cycle_of(const mlopt_node *n, int64_t row) {
  int64_t cycle = n->cycle + row;
  for (int64_t r = 0; r <= row; r++) cycle += n->gaps[r];
  return cycle;
}

/* Finishes the first `said` cycles, up to the first one with an error. */
static inline mlopt_status mlopt_say(mlopt_node *n, int64_t said) {
  const mlopt_stream *s = n->stream;
  for (n->ready = 0; n->ready < said; n->ready++) {
    int64_t row = n->ready;
    int64_t fault = s->fault < 0 ? 0 : ((const int64_t *)n->columns[s->fault])[row];
    if (fault != 0) {
      int64_t cycle = mlopt_cycle_of(n, row);
      return mlopt_halt(n, MLOPT_DIVISION, cycle, cycle, s->quotients[fault - 1]);
    }
    for (int32_t k = 0; k < s->n_inputs; k++) {
      const mlopt_port *p = &s->inputs[k];
      if (p->given < 0 || !mlopt_holds(n, p->clock_is_known, row)) continue;
      if (mlopt_holds(n, p->clock, row) != mlopt_holds(n, p->given, row)) {
        int64_t cycle = mlopt_cycle_of(n, row);
        return mlopt_halt(n, MLOPT_CLOCK, cycle, cycle, p->name);
      }
    }
  }
  return MLOPT_OK;
}

/* Checks whether the inputs permit that the outputs of a stored cycle are known. */
static inline bool mlopt_may_end(const mlopt_node *n) {
  const mlopt_stream *s = n->stream;
  for (int32_t k = 0; k < s->n_breaks && s->is_ended; k++) {
    const bool *rows = (const bool *)n->columns[s->inputs[s->breaks[k].input].rows];
    for (int64_t r = 0; r < n->rows; r++)
      if (rows[r] == s->breaks[k].holds) return true;
  }
  return !s->is_ended;
}

/* Processes one cycle. `values` contains the row of each input, or NULL if the input is absent. */
static inline mlopt_status mlopt_feed(mlopt_node *n, const void *const *values) {
  const mlopt_stream *s = n->stream;
  if (n->stop.status != MLOPT_OK) return n->stop.status;
  mlopt_forget(n);
  int32_t base = 0, absent = 0;
  const char *first = NULL;
  for (int32_t k = 0; k < s->n_inputs; k++) {
    if (s->inputs[k].given >= 0) continue;
    if (!first) first = s->inputs[k].name;
    base++;
    absent += values[k] == NULL;
  }
  if (absent > 0 && absent == base) {
    n->gaps[n->rows]++;
    n->fed++;
    return MLOPT_OK;
  }
  if (absent > 0) {
    /* An error in an earlier cycle takes precedence. */
    if (n->rows > 0) mlopt_resolve(n);
    if (mlopt_say(n, n->rows) != MLOPT_OK) return n->stop.status;
    return mlopt_halt(n, MLOPT_CLOCK, n->fed, n->fed, first);
  }
  for (int32_t k = 0; k < s->n_promised && n->rows > 0; k++) {
    /* Compares with the previous cycle, if that is stored. Otherwise no stored cycle requires a constant value. */
    const mlopt_port *p = &s->inputs[s->promised[k]];
    bool before = mlopt_holds(n, p->rows, n->rows - 1), now = *(const bool *)values[s->promised[k]];
    if (before == now || mlopt_holds(n, s->inputs[s->boundary].rows, n->rows - 1)) continue;
    mlopt_resolve(n);
    if (mlopt_say(n, n->rows) != MLOPT_OK) return n->stop.status;
    return mlopt_halt(n, MLOPT_CLOCK, n->fed, n->fed, p->name);
  }
  if (n->rows == n->horizon) {
    n->gaps[n->rows] = 0;
    if (mlopt_say(n, n->rows) != MLOPT_OK) return n->stop.status;
    return mlopt_halt(n, MLOPT_HORIZON, n->fed, n->cycle, s->awaited);
  }
  for (int32_t k = 0; k < s->n_inputs; k++) {
    const mlopt_port *p = &s->inputs[k];
    uint8_t *row = (uint8_t *)n->columns[p->rows] + n->rows * s->columns[p->rows];
    if (values[k]) memcpy(row, values[k], (size_t)s->columns[p->rows]);
    if (p->given >= 0) ((bool *)n->columns[p->given])[n->rows] = values[k] != NULL;
  }
  bool is_end = n->rows + 1 >= n->retry || n->rows + 1 == n->horizon;
  for (int32_t k = 0; k < s->n_breaks && !is_end; k++) {
    const void *value = values[s->breaks[k].input];
    is_end = value && *(const bool *)value == s->breaks[k].holds;
  }
  n->rows++;
  n->fed++;
  n->gaps[n->rows] = 0;
  if (!is_end) return MLOPT_OK;
  int64_t resolved = mlopt_whole(n);
  bool waits = s->is_whole && n->rows < n->horizon && mlopt_is_first(n);
  if (resolved == 0 && !waits) resolved = mlopt_resolve(n);
  /* The longer a sequence is, the less often it is examined, so that the time is not quadratic in its length. */
  n->retry = resolved > 0 ? 0 : n->rows + 1 + (mlopt_may_end(n) ? n->rows / 32 : n->rows);
  return mlopt_say(n, resolved);
}

/* Ends the input streams and finishes the stored cycles. */
static inline mlopt_status mlopt_finish(mlopt_node *n) {
  const mlopt_stream *s = n->stream;
  if (n->stop.status != MLOPT_OK) return n->stop.status;
  if (n->gaps) {
    mlopt_forget(n);
    if (n->rows > 0) mlopt_resolve(n);
    if (mlopt_say(n, n->rows) != MLOPT_OK) return n->stop.status;
    for (int32_t k = 0; k < s->n_outputs; k++)
      for (int64_t r = 0; r < n->rows; r++)
        if (mlopt_output(n, k, r) == MLOPT_UNKNOWN)
          return mlopt_halt(n, MLOPT_UNTERMINATED, n->fed, mlopt_cycle_of(n, r), s->outputs[k].name);
  }
  mlopt_halt(n, MLOPT_ENDED, n->fed, n->fed, "");
  return MLOPT_OK;
}

#endif

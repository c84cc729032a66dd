// Events that end the process from outside the program: a crash inside MLIR or LLVM, and the limit of processor time.
// Each produces one diagnostic: no stack dump, no core file, a non-zero status.
#include "bridge/Bridge.h"
#include "mlir/CAPI/Support.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>

namespace {
// `EX_SOFTWARE` of sysexits.h.
constexpr int internalErrorStatus = 70;

// The output of the handler, which may not allocate.
char place[512] = "";
char cause[1024] = "MLIR or LLVM crashed on this input";
char limit[128] = "";

void copy(char *to, size_t capacity, MlirStringRef text) {
  size_t n = std::min(capacity - 1, text.length);
  std::memcpy(to, text.data, n);
  to[n] = 0;
}

void write(const char *text) {
  ssize_t ignored = ::write(2, text, std::strlen(text));
  (void)ignored;
}

[[noreturn]] void stop(const char *reason) {
  write(place);
  write("error: internal error: ");
  write(reason);
  write("\n");
  _exit(internalErrorStatus);
}

void onSignal(void *) { stop(cause); }

void onTime(int) {
  write(place);
  write(limit);
  _exit(EXIT_FAILURE);
}

void onFatalError(void *, const char *reason, bool) { stop(reason); }

void onBadAllocation(void *, const char *, bool) { stop("out of memory"); }
} // namespace

void mlopt_install_crash_handler(void) {
  // Handlers run in the order of their registration: before those of LLVM that dump the stack.
  llvm::sys::AddSignalHandler(onSignal, nullptr);
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAllocation);
  std::set_terminate([] { std::abort(); });
  // Output to a closed pipe ends the process quietly; Rust's runtime has requested errors instead.
  std::signal(SIGPIPE, SIG_DFL);
}

void mlopt_set_crash_place(MlirStringRef text) { copy(place, sizeof(place), text); }

void mlopt_set_crash_cause(MlirStringRef text) { copy(cause, sizeof(cause), text); }

void mlopt_limit_seconds(double seconds) {
  std::snprintf(limit, sizeof(limit),
                "error: the program has taken more than %g s of processor time; `--max-seconds` raises the limit\n", seconds);
  std::signal(SIGPROF, onTime);
  double whole = std::floor(seconds);
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - whole) * 1e6);
  setitimer(ITIMER_PROF, &timer, nullptr);
}

void mlopt_set_thread_stack_size(size_t bytes) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return;
  if (pthread_attr_setstacksize(&attributes, bytes) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

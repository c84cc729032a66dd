#include <string.h>
#include <sys/types.h>
ssize_t getrandom(void *to, size_t bytes, unsigned flags) {
  (void)flags;
  memset(to, 1, bytes);
  return (ssize_t)bytes;
}

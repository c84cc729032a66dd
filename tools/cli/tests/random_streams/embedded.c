static const bool on[] = {@ON@};

static void drain(f_node *node) {
  f_out out;
  while (f_take(node, &out)) {
    printf("%lld", (long long)out.cycle);
@PRINT@    printf("\n");
  }
}

int main(void) {
  size_t bytes = f_memory(@HORIZON@);
  /* An odd place, with a fence behind it. */
  unsigned char *block = (unsigned char *)malloc(bytes + 65);
  memset(block, 0xa5, bytes + 65);
  printf("bytes %lld\n", (long long)bytes);
  if (f_init(block + 1, bytes - 1@COMMA@@HORIZON@)) return 3;
  f_node *node = f_init(block + 1, bytes@COMMA@@HORIZON@);
  if (!node) return 4;
  for (int run = 0; run < 2; run++) {
    for (int n = 0; n < @CYCLES@; n++) {
      f_in in;
      memset(&in, 0, sizeof in);
@SET@      mlopt_status status = f_step(node, on[n] ? &in : NULL);
      drain(node);
      if (status != MLOPT_OK) {
        printf("stopped %s in cycle %lld\n", mlopt_code(status), (long long)f_stop(node)->cycle);
        return 5;
      }
    }
    mlopt_status status = f_flush(node);
    drain(node);
    printf("end %s\n", mlopt_code(status));
    f_reset(node);
  }
  for (int k = 0; k < 64; k++)
    if (block[bytes + 1 + k] != 0xa5) return 6;
  free(block);
  return 0;
}

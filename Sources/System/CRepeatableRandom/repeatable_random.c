#define _GNU_SOURCE
#include "CRepeatableRandom.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local bool is_active;
static _Thread_local struct random_data sequence;
static _Thread_local char state[128];

void speechkit_repeatable_random_begin(void) {
  memset(&sequence, 0, sizeof sequence);
  is_active = initstate_r(1, state, sizeof state, &sequence) == 0;
}

void speechkit_repeatable_random_end(void) { is_active = false; }

/// Replaces the function of the C library, because the program's own definition of a symbol takes
/// precedence. Outside of a sequence it does the same: there, `rand` is `random`.
int rand(void) {
  int32_t number = 0;
  if (is_active && random_r(&sequence, &number) == 0) return number;
  return (int)random();
}

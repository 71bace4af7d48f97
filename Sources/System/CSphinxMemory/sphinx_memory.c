#include "CSphinxMemory.h"

#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

static _Thread_local sksm_thread current_thread;

sksm_thread *sksm_current_thread(void) { return &current_thread; }

/// Replaces the library's function, because the program's own definition of a symbol takes
/// precedence. The library itself could return to a call as well, but to one of all threads only.
void ckd_fail(char *format, ...) {
  (void)format;
  current_thread.has_failed = 1;
  if (current_thread.end != NULL) longjmp(*current_thread.end, 1);
  fputs("PocketSphinx ran out of memory.\n", stderr);
  exit(EX_OSERR);
}

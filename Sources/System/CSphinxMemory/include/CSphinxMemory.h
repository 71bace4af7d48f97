#pragma once

// The end of calls of PocketSphinx that run out of memory. The library calls its function
// `ckd_fail` then, which ends the process; the one of this module returns to the call instead.

#include <setjmp.h>

/// The calls of a thread.
typedef struct {
  /// The place where the current call ends if it runs out of memory; NULL outside of such a call.
  jmp_buf *end;
  /// Nonzero after a call that ran out of memory.
  int has_failed;
} sksm_thread;

sksm_thread *sksm_current_thread(void);

/// Evaluates a call of the library, or the other value if the call runs out of memory. What the
/// call had begun is neither completed nor freed.
#define SKSM_GUARDED(failure, call)                   \
  __extension__({                                     \
    sksm_thread *sksm_here = sksm_current_thread();   \
    jmp_buf *sksm_outer = sksm_here->end;             \
    jmp_buf sksm_end;                                 \
    __typeof__(call) sksm_result = (failure);         \
    sksm_here->end = &sksm_end;                       \
    if (setjmp(sksm_end) == 0) sksm_result = (call);  \
    sksm_here->end = sksm_outer;                      \
    sksm_result;                                      \
  })

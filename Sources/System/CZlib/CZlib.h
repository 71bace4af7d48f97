// The part of zlib's C interface that is used here, as it has been since 1.0. The library is loaded at run time, so its
// own header is not needed to build. It checks the size of the structure that it is given.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct speechkit_z_stream {
  const uint8_t *next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *zalloc;
  void *zfree;
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
};

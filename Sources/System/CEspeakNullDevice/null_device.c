#include "CEspeakNullDevice.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_int requests;

struct audio_object *create_audio_device_object(
  const char *device, const char *application_name, const char *description) {
  (void)device, (void)application_name, (void)description;
  atomic_fetch_add(&requests, 1);
  return NULL;
}

int espeak_null_device_requests(void) { return atomic_load(&requests); }

#pragma once
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <portaudio.h>

// ALSA hands its messages to a variadic function, which Swift cannot write.
static inline void speech_ignore_alsa_message(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline void speech_ignore_jack_message(const char *message) { (void)message; }

/// Makes ALSA and JACK keep their messages to themselves. Without that, looking for devices on a
/// machine that has none prints a hundred lines to standard error.
///
/// JACK is looked up by name, because PortAudio is not built with it everywhere.
static inline void speech_silence_audio_libraries(void) {
  snd_lib_error_set_handler(speech_ignore_alsa_message);
  typedef void (*set_function)(void (*)(const char *));
  set_function set_error = (set_function)dlsym((void *)0, "jack_set_error_function");
  set_function set_info = (set_function)dlsym((void *)0, "jack_set_info_function");
  if (set_error) set_error(speech_ignore_jack_message);
  if (set_info) set_info(speech_ignore_jack_message);
}

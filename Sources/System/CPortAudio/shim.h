#pragma once
#include <alsa/asoundlib.h>
#include <dlfcn.h>
#include <portaudio.h>

// ALSA passes its messages to a variadic function, which Swift cannot define.
static inline void speech_ignore_alsa_message(
    const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

static inline void speech_ignore_jack_message(const char *message) { (void)message; }

/// Discards the messages of ALSA and JACK. Otherwise, listing devices on a machine without any
/// prints a hundred lines to standard error.
///
/// JACK is looked up by name, because not every build of PortAudio uses it.
static inline void speech_silence_audio_libraries(void) {
  snd_lib_error_set_handler(speech_ignore_alsa_message);
  typedef void (*set_function)(void (*)(const char *));
  set_function set_error = (set_function)dlsym((void *)0, "jack_set_error_function");
  set_function set_info = (set_function)dlsym((void *)0, "jack_set_info_function");
  if (set_error) set_error(speech_ignore_jack_message);
  if (set_info) set_info(speech_ignore_jack_message);
}

#pragma once

struct audio_object;

/// Replaces the function of this name in libpcaudio, and returns no device.
///
/// eSpeak NG requests a device when it starts, even in the mode in which it returns its audio to
/// the caller and plays nothing. libpcaudio would then connect to the sound server: a server that
/// hangs delays the start by half a minute, and the server's client library creates files and
/// writes to standard error. Without a device, eSpeak NG continues.
///
/// The program's own definition of a symbol takes precedence over those of the libraries that it
/// links. It does so for the whole process, so a program that itself plays through libpcaudio
/// cannot use this.
struct audio_object *create_audio_device_object(
  const char *device, const char *application_name, const char *description);

/// The number of times that a device was requested.
int espeak_null_device_requests(void);

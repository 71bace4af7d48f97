#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An echo canceller of WebRTC's audio processing.
typedef struct skec_canceller skec_canceller;

typedef struct {
  int sample_rate;
  /// 0 (low) to 2 (high).
  int echo_suppression;
  /// 0 (low) to 3 (very high); -1 for none.
  int noise_suppression;
  /// The target level of speech in decibels below full scale; -1 for no gain control.
  int gain_target;
  int high_pass;
  int delay_agnostic;
  int extended_filter;
} skec_settings;

typedef struct {
  /// Nonzero if the library has statistics.
  int is_known;
  /// Decibels.
  int echo_return_loss;
  int echo_return_loss_enhancement;
  int residual_echo_return_loss;
  /// Milliseconds.
  int delay_median;
  int delay_deviation;
} skec_statistics;

/// Creates a canceller. Returns NULL and the library's error code on failure.
skec_canceller *skec_create(const skec_settings *settings, int *failure);

void skec_destroy(skec_canceller *canceller);

/// Resets the filter and keeps the settings. Returns 0 or an error code, like the functions below.
int skec_reset(skec_canceller *canceller);

/// Analyses the next 10 ms of playback.
int skec_analyse(skec_canceller *canceller, const int16_t *samples, int count);

/// Removes the echo from the next 10 ms of the capture.
int skec_process(skec_canceller *canceller, int16_t *samples, int count, int delay);

skec_statistics skec_get_statistics(skec_canceller *canceller);

#ifdef __cplusplus
}
#endif

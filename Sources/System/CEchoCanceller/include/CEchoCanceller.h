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
  /// How far below full scale speech is brought to, in decibels; -1 for no gain control.
  int gain_target;
  int high_pass;
  int delay_agnostic;
  int extended_filter;
} skec_settings;

typedef struct {
  /// Whether the library has anything to tell yet.
  int is_known;
  /// In decibels.
  int echo_return_loss;
  int echo_return_loss_enhancement;
  int residual_echo_return_loss;
  /// In milliseconds.
  int delay_median;
  int delay_deviation;
} skec_statistics;

/// A canceller, or NULL with the library's number of the failure.
skec_canceller *skec_create(const skec_settings *settings, int *failure);

void skec_destroy(skec_canceller *canceller);

/// Forgets all that was heard; the settings stay. Gives 0 or the number of the failure, as the functions
/// below do.
int skec_reset(skec_canceller *canceller);

/// Takes the next 10 ms of what is played.
int skec_analyse(skec_canceller *canceller, const int16_t *samples, int count);

/// Takes the echo out of the next 10 ms of what is heard.
int skec_process(skec_canceller *canceller, int16_t *samples, int count, int delay);

skec_statistics skec_get_statistics(skec_canceller *canceller);

#ifdef __cplusplus
}
#endif

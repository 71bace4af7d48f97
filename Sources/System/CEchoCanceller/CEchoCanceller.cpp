// A C interface to a library that offers only C++, so that its users do not need Swift's
// interoperability with C++. No exception leaves this file: the library throws none, but memory may
// be exhausted.

#include "CEchoCanceller.h"

#include <algorithm>
#include <memory>
#include <new>

#include <webrtc/modules/audio_processing/include/audio_processing.h>
#include <webrtc/modules/interface/module_common_types.h>

using webrtc::AudioProcessing;

struct skec_canceller {
  std::unique_ptr<AudioProcessing> processing;
  int sample_rate;
  webrtc::AudioFrame frame;
};

namespace {

int configure(AudioProcessing &processing, const skec_settings &settings) {
  int failure = processing.high_pass_filter()->Enable(settings.high_pass != 0);
  if (failure) return failure;

  webrtc::EchoCancellation *echo = processing.echo_cancellation();
  // Drift is compensated where the times are known, see ReferenceTrack.
  if ((failure = echo->enable_drift_compensation(false))) return failure;
  if ((failure = echo->set_suppression_level(
           static_cast<webrtc::EchoCancellation::SuppressionLevel>(settings.echo_suppression))))
    return failure;
  if ((failure = echo->enable_metrics(true))) return failure;
  if ((failure = echo->enable_delay_logging(true))) return failure;
  if ((failure = echo->Enable(true))) return failure;

  if (settings.noise_suppression >= 0) {
    webrtc::NoiseSuppression *noise = processing.noise_suppression();
    if ((failure = noise->set_level(
             static_cast<webrtc::NoiseSuppression::Level>(settings.noise_suppression))))
      return failure;
    if ((failure = noise->Enable(true))) return failure;
  }
  if (settings.gain_target >= 0) {
    webrtc::GainControl *gain = processing.gain_control();
    if ((failure = gain->set_mode(webrtc::GainControl::kAdaptiveDigital))) return failure;
    if ((failure = gain->set_target_level_dbfs(settings.gain_target))) return failure;
    if ((failure = gain->Enable(true))) return failure;
  }
  return processing.Initialize(
      settings.sample_rate, settings.sample_rate, settings.sample_rate, AudioProcessing::kMono,
      AudioProcessing::kMono, AudioProcessing::kMono);
}

int fill(skec_canceller &canceller, const int16_t *samples, int count) {
  if (count * 100 != canceller.sample_rate) return AudioProcessing::kBadDataLengthError;
  canceller.frame.UpdateFrame(
      0, 0, samples, static_cast<size_t>(count), canceller.sample_rate,
      webrtc::AudioFrame::kNormalSpeech, webrtc::AudioFrame::kVadUnknown, 1);
  return 0;
}

}  // namespace

skec_canceller *skec_create(const skec_settings *settings, int *failure) try {
  webrtc::Config config;
  config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(settings->extended_filter != 0));
  config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(settings->delay_agnostic != 0));
  // Controls the volume of a device, which is not available here.
  config.Set<webrtc::ExperimentalAgc>(new webrtc::ExperimentalAgc(false));
  auto canceller = std::make_unique<skec_canceller>();
  canceller->processing.reset(AudioProcessing::Create(config));
  canceller->sample_rate = settings->sample_rate;
  if (!canceller->processing) {
    *failure = AudioProcessing::kCreationFailedError;
    return nullptr;
  }
  *failure = configure(*canceller->processing, *settings);
  return *failure ? nullptr : canceller.release();
} catch (...) {
  *failure = AudioProcessing::kCreationFailedError;
  return nullptr;
}

void skec_destroy(skec_canceller *canceller) { delete canceller; }

int skec_reset(skec_canceller *canceller) try {
  return canceller->processing->Initialize();
} catch (...) {
  return AudioProcessing::kUnspecifiedError;
}

int skec_analyse(skec_canceller *canceller, const int16_t *samples, int count) try {
  if (int failure = fill(*canceller, samples, count)) return failure;
  return canceller->processing->AnalyzeReverseStream(&canceller->frame);
} catch (...) {
  return AudioProcessing::kUnspecifiedError;
}

int skec_process(skec_canceller *canceller, int16_t *samples, int count, int delay) try {
  if (int failure = fill(*canceller, samples, count)) return failure;
  // Reports delays that it has to clamp, which is not a failure.
  canceller->processing->set_stream_delay_ms(delay);
  int failure = canceller->processing->ProcessStream(&canceller->frame);
  if (failure && failure != AudioProcessing::kBadStreamParameterWarning) return failure;
  std::copy_n(canceller->frame.data_, count, samples);
  return 0;
} catch (...) {
  return AudioProcessing::kUnspecifiedError;
}

skec_statistics skec_get_statistics(skec_canceller *canceller) try {
  skec_statistics statistics = {};
  webrtc::EchoCancellation *echo = canceller->processing->echo_cancellation();
  webrtc::EchoCancellation::Metrics metrics;
  float poor = 0;
  if (echo->GetMetrics(&metrics) != 0) return statistics;
  if (echo->GetDelayMetrics(&statistics.delay_median, &statistics.delay_deviation, &poor) != 0)
    return statistics;
  statistics.echo_return_loss = metrics.echo_return_loss.instant;
  statistics.echo_return_loss_enhancement = metrics.echo_return_loss_enhancement.instant;
  statistics.residual_echo_return_loss = metrics.residual_echo_return_loss.instant;
  // The library reports unknown values as -100 dB, and as -1 for delays.
  statistics.is_known = metrics.echo_return_loss.instant > -100;
  return statistics;
} catch (...) {
  return skec_statistics{};
}

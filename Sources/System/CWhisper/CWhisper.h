// The part of whisper.cpp's C interface that is used here, as of version 1.8.2. The library is loaded at run time, so
// its own header is not needed to build.
//
// Both structures of settings are passed by value. The library copies as many bytes as it knows of, so a structure
// that is longer than the library's is safe: the reserve at the end takes what later versions append.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct whisper_context;
struct whisper_state;

typedef int32_t whisper_token;

struct whisper_context_params {
  bool use_gpu;
  bool flash_attn;
  int gpu_device;
  bool dtw_token_timestamps;
  int dtw_aheads_preset;
  int dtw_n_top;
  struct {
    size_t n_heads;
    const void *heads;
  } dtw_aheads;
  size_t dtw_mem_size;
  char reserve[256];
};

struct whisper_token_data {
  whisper_token id;
  whisper_token tid;
  float p;
  float plog;
  float pt;
  float ptsum;
  int64_t t0;
  int64_t t1;
  int64_t t_dtw;
  float vlen;
  char reserve[128];
};

struct whisper_grammar_element {
  int type;
  uint32_t value;
};

struct whisper_full_params {
  int strategy;
  int n_threads;
  int n_max_text_ctx;
  int offset_ms;
  int duration_ms;
  bool translate;
  bool no_context;
  bool no_timestamps;
  bool single_segment;
  bool print_special;
  bool print_progress;
  bool print_realtime;
  bool print_timestamps;
  bool token_timestamps;
  float thold_pt;
  float thold_ptsum;
  int max_len;
  bool split_on_word;
  int max_tokens;
  bool debug_mode;
  int audio_ctx;
  bool tdrz_enable;
  const char *suppress_regex;
  const char *initial_prompt;
  bool carry_initial_prompt;
  const whisper_token *prompt_tokens;
  int prompt_n_tokens;
  const char *language;
  bool detect_language;
  bool suppress_blank;
  bool suppress_nst;
  float temperature;
  float max_initial_ts;
  float length_penalty;
  float temperature_inc;
  float entropy_thold;
  float logprob_thold;
  float no_speech_thold;
  struct {
    int best_of;
  } greedy;
  struct {
    int beam_size;
    float patience;
  } beam_search;
  const void *new_segment_callback;
  void *new_segment_callback_user_data;
  const void *progress_callback;
  void *progress_callback_user_data;
  bool (*encoder_begin_callback)(
    struct whisper_context *context, struct whisper_state *state, void *user_data);
  void *encoder_begin_callback_user_data;
  bool (*abort_callback)(void *user_data);
  void *abort_callback_user_data;
  const void *logits_filter_callback;
  void *logits_filter_callback_user_data;
  const struct whisper_grammar_element **grammar_rules;
  size_t n_grammar_rules;
  size_t i_start_rule;
  float grammar_penalty;
  bool vad;
  const char *vad_model_path;
  struct {
    float threshold;
    int min_speech_duration_ms;
    int min_silence_duration_ms;
    float max_speech_duration_s;
    int speech_pad_ms;
    float samples_overlap;
  } vad_params;
  char reserve[1024];
};

#if defined(__LP64__)
_Static_assert(offsetof(struct whisper_context_params, reserve) == 48, "as in 1.8.2");
_Static_assert(offsetof(struct whisper_full_params, audio_ctx) == 56, "as in 1.8.2");
_Static_assert(offsetof(struct whisper_full_params, language) == 104, "as in 1.8.2");
_Static_assert(offsetof(struct whisper_full_params, greedy) == 144, "as in 1.8.2");
_Static_assert(offsetof(struct whisper_full_params, abort_callback) == 208, "as in 1.8.2");
_Static_assert(offsetof(struct whisper_full_params, grammar_rules) == 240, "as in 1.8.2");
_Static_assert(offsetof(struct whisper_full_params, reserve) == 304, "as in 1.8.2");
#endif

#pragma once

// The only place that depends on the installed generation of PocketSphinx. Swift code uses the
// functions below, whose names start with skps_; each generation has a block of them.

#if !__has_include(<sphinxbase/cmd_ln.h>)
#error "Only PocketSphinx 0.8 (5prealpha) is supported. Add a block of skps_ functions here."
#endif

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pocketsphinx.h>
#include <sphinxbase/bitvec.h>
#include <sphinxbase/ckd_alloc.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <sphinxbase/feat.h>
#include <sphinxbase/fsg_model.h>

#include "../CSphinxMemory/include/CSphinxMemory.h"

/// Begins a number of calls after which `skps_has_run_out` reports an end of memory.
static inline void skps_watch_memory(void) { sksm_current_thread()->has_failed = 0; }

/// Nonzero if a call of this thread has run out of memory. Its decoder must neither be used nor
/// freed any more: its state is not known.
static inline int skps_has_run_out(void) { return sksm_current_thread()->has_failed; }

// MARK: - Log

/// Receives one line of the library's log. Higher levels are more severe; 4 is an error.
typedef void (*skps_log_function)(int level, const char *message);

// In C because the library calls back with a variable argument list.
static inline void skps_forward_log(void *receiver, err_lvl_t level, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  ((skps_log_function)receiver)((int)level, message);
}

/// Sends the library's log to a function instead of the terminal.
static inline void skps_set_log(skps_log_function receiver) {
  err_set_callback(skps_forward_log, (void *)receiver);
}

// MARK: - Life

static inline ps_decoder_t *skps_create_unguarded(int count, char *const *arguments) {
  // The table of all settings is written to the stream instead of the callback, and each thread has
  // a stream.
  err_set_logfp(NULL);
  cmd_ln_t *configuration = cmd_ln_parse_r(NULL, ps_args(), count, (char **)arguments, 1);
  if (configuration == NULL) return NULL;
  ps_decoder_t *decoder = ps_init(configuration);
  cmd_ln_free_r(configuration);
  return decoder;
}

/// Creates a decoder for these arguments (name, value, name, value …), or returns NULL.
static inline ps_decoder_t *skps_create(int count, char *const *arguments) {
  return SKSM_GUARDED(NULL, skps_create_unguarded(count, arguments));
}

static inline void skps_free(ps_decoder_t *decoder) { ps_free(decoder); }

// MARK: - Vocabulary and searches

/// Returns the phones of a word as a string that the caller frees, or NULL.
static inline char *skps_copy_phones(ps_decoder_t *decoder, const char *word) {
  return SKSM_GUARDED(NULL, ps_lookup_word(decoder, word));
}

/// Adds a word; `is_last` rebuilds the search. Returns a negative number if it is rejected.
static inline int skps_add_word(
    ps_decoder_t *decoder, const char *word, const char *phones, int is_last) {
  return SKSM_GUARDED(-1, ps_add_word(decoder, word, phones, is_last));
}

// The library's own, which it keeps to itself: the transitions out of a state.
struct trans_list_s {
  hash_table_t *null_trans;
  hash_table_t *trans;
};

/// A transition of a grammar; the word is an index, or -1 if there is none.
typedef struct {
  int32_t from, to, word;
  /// The natural logarithm of the weight in millionths; at most 0.
  int32_t weight;
} skps_transition;

/// Adds a transition that the grammar does not have yet. In place of fsg_model_trans_add, which takes
/// seconds for thousands of transitions because it searches those with the same states.
static inline void skps_add_transition(
    fsg_model_t *model, const skps_transition *transition, int targets) {
  struct trans_list_s *state = &model->trans[transition->from];
  hash_table_t **table = transition->word < 0 ? &state->null_trans : &state->trans;
  if (*table == NULL) *table = hash_table_new(targets, HASH_CASE_YES);
  fsg_link_t *link = (fsg_link_t *)listelem_malloc(model->link_alloc);
  link->from_state = transition->from;
  link->to_state = transition->to;
  link->wid = transition->word;
  link->logs2prob = logmath_ln_to_log(model->lmath, transition->weight / 1e6);
  const char *key = (const char *)&link->to_state;
  if (transition->word < 0) {
    hash_table_enter_bkey(*table, key, sizeof link->to_state, link);
  } else {
    glist_t list = glist_add_ptr(fsg_model_trans(model, link->from_state, link->to_state), link);
    hash_table_replace_bkey(*table, key, sizeof link->to_state, list);
  }
}

/// Creates a grammar that begins in state 0. The transitions are sorted by the state they begin in,
/// and those without a word are complete. The last words are alternative pronunciations of others.
static inline fsg_model_t *skps_create_grammar(
    ps_decoder_t *decoder, int states, int end, int words, int alternatives,
    const char *const *spellings, const skps_transition *transitions, int count) {
  float weight = (float)cmd_ln_float_r(ps_get_config(decoder), "-lw");
  fsg_model_t *model = fsg_model_init("speechkit", ps_get_logmath(decoder), weight, states);
  if (model == NULL) return NULL;
  model->final_state = end;
  // In place of fsg_model_word_add and fsg_model_add_alt, which search all words and transitions.
  model->vocab = (char **)ckd_realloc(model->vocab, (size_t)(words + 1) * sizeof(char *));
  model->n_word_alloc = words + 1;
  model->n_word = words;
  model->altwords = bitvec_alloc(words + 1);
  for (int i = 0; i < words; i++) {
    model->vocab[i] = ckd_salloc(spellings[i]);
    if (i >= words - alternatives) bitvec_set(model->altwords, i);
  }
  for (int first = 0, last; first < count; first = last) {
    for (last = first; last < count && transitions[last].from == transitions[first].from;) last++;
    for (int i = first; i < last; i++) skps_add_transition(model, &transitions[i], last - first);
  }
  return model;
}

static inline int skps_use_grammar_unguarded(
    ps_decoder_t *decoder, int states, int end, int words, int alternatives,
    const char *const *spellings, const skps_transition *transitions, int count) {
  const char *name = "speechkit";
  fsg_model_t *model = skps_create_grammar(
      decoder, states, end, words, alternatives, spellings, transitions, count);
  if (model == NULL) return -1;
  int result = -1;
  if (ps_set_fsg(decoder, name, model) >= 0) result = ps_set_search(decoder, name);
  fsg_model_free(model);
  return result;
}

/// Recognises the sentences of a grammar.
static inline int skps_use_grammar(
    ps_decoder_t *decoder, int states, int end, int words, int alternatives,
    const char *const *spellings, const skps_transition *transitions, int count) {
  return SKSM_GUARDED(
      -1, skps_use_grammar_unguarded(
              decoder, states, end, words, alternatives, spellings, transitions, count));
}

/// Reads the language model for the current words of the dictionary.
static inline int skps_use_language_model(ps_decoder_t *decoder, const char *path) {
  const char *name = "speechkit";
  if (SKSM_GUARDED(-1, ps_set_lm_file(decoder, name, path)) < 0) return -1;
  return SKSM_GUARDED(-1, ps_set_search(decoder, name));
}

static inline int skps_use_key_phrases(ps_decoder_t *decoder, const char *list_path) {
  const char *name = "speechkit";
  if (SKSM_GUARDED(-1, ps_set_kws(decoder, name, list_path)) < 0) return -1;
  return SKSM_GUARDED(-1, ps_set_search(decoder, name));
}

// MARK: - Utterances

/// Begins an utterance whose frames count from zero.
static inline int skps_start(ps_decoder_t *decoder) {
  if (SKSM_GUARDED(-1, ps_start_stream(decoder)) < 0) return -1;
  return SKSM_GUARDED(-1, ps_start_utt(decoder));
}

static inline int skps_process(ps_decoder_t *decoder, const int16_t *samples, size_t count) {
  return SKSM_GUARDED(-1, ps_process_raw(decoder, samples, count, 0, 0));
}

/// Processes cepstra of the utterance instead of its audio. One by one, because the library keeps a
/// dozen frames, of which it looks back at five, and loses what exceeds them.
static inline int skps_process_cepstra(ps_decoder_t *decoder, float *values, int frames) {
  int width = fe_get_output_size(ps_get_fe(decoder));
  for (int i = 0; i < frames; i++) {
    mfcc_t *row = values + (size_t)i * (size_t)width;
    if (SKSM_GUARDED(-1, ps_process_cep(decoder, &row, 1, 0, 0)) < 0) return -1;
  }
  return 0;
}

static inline int skps_end(ps_decoder_t *decoder) {
  return SKSM_GUARDED(-1, ps_end_utt(decoder));
}

// MARK: - Results

static inline const char *skps_hypothesis(ps_decoder_t *decoder) {
  int32 score;
  return SKSM_GUARDED(NULL, ps_get_hyp(decoder, &score));
}

/// Converts a log value of this decoder to a probability.
static inline double skps_probability(ps_decoder_t *decoder, int log_value) {
  return logmath_exp(ps_get_logmath(decoder), log_value);
}

static inline ps_seg_t *skps_first_segment(ps_decoder_t *decoder) {
  return SKSM_GUARDED(NULL, ps_seg_iter(decoder));
}

static inline ps_seg_t *skps_next_segment(ps_seg_t *segment) {
  return SKSM_GUARDED(NULL, ps_seg_next(segment));
}

static inline const char *skps_segment_word(ps_seg_t *segment) { return ps_seg_word(segment); }

/// One segment's first and last frame, acoustic score and log posterior.
static inline void skps_segment_values(
    ps_seg_t *segment, int *first, int *last, int *acoustic_score, int *log_posterior) {
  int32 acoustic = 0, language = 0, back_off = 0;
  ps_seg_frames(segment, first, last);
  *log_posterior = ps_seg_prob(segment, &acoustic, &language, &back_off);
  *acoustic_score = acoustic;
}

static inline ps_nbest_t *skps_first_alternative(ps_decoder_t *decoder) {
  ps_nbest_t *list = SKSM_GUARDED(NULL, ps_nbest(decoder));
  return list == NULL ? NULL : SKSM_GUARDED(NULL, ps_nbest_next(list));
}

static inline ps_nbest_t *skps_next_alternative(ps_nbest_t *list) {
  return SKSM_GUARDED(NULL, ps_nbest_next(list));
}

static inline void skps_free_alternatives(ps_nbest_t *list) { ps_nbest_free(list); }

/// Returns the words of an alternative (owned by the list) and its path score, or NULL.
static inline const char *skps_alternative_text(ps_nbest_t *list, int *score) {
  int32 value = 0;
  const char *text = SKSM_GUARDED(NULL, ps_nbest_hyp(list, &value));
  *score = value;
  return text;
}

// MARK: - Cepstral mean

/// Returns the library's view of a table of cepstra: a pointer to each row, freed by the caller; or
/// NULL.
static inline mfcc_t **skps_rows(float *values, int width, int frames) {
  mfcc_t **rows = (mfcc_t **)calloc((size_t)frames + 1, sizeof(mfcc_t *));
  for (int i = 0; rows != NULL && i < frames; i++) rows[i] = values + (size_t)i * (size_t)width;
  return rows;
}

/// The number of values in a cepstral mean.
static inline int skps_mean_length(ps_decoder_t *decoder) {
  return ps_get_feat(decoder)->cmn_struct->veclen;
}

/// Subtracts a known mean (1), or nothing (0) if that has been done.
static inline void skps_subtract_known_mean(ps_decoder_t *decoder, int subtract) {
  ps_get_feat(decoder)->cmn = subtract ? CMN_LIVE : CMN_NONE;
}

/// Subtracts their own mean from these cepstra.
static inline int skps_subtract_own_mean(ps_decoder_t *decoder, float *values, int frames) {
  cmn_t *mean = ps_get_feat(decoder)->cmn_struct;
  mfcc_t **rows = skps_rows(values, mean->veclen, frames);
  if (rows == NULL) return -1;
  cmn(mean, rows, 0, frames);
  free(rows);
  return 0;
}

/// Sets the mean to subtract, and the accumulated sum of a number of frames.
static inline void skps_set_mean(
    ps_decoder_t *decoder, const float *mean, const float *remembered, int frames) {
  cmn_t *cmn = ps_get_feat(decoder)->cmn_struct;
  cmn_live_set(cmn, mean);
  for (int i = 0; i < cmn->veclen; i++) cmn->sum[i] = remembered[i] * (float)frames;
  cmn->nframe = frames;
}

/// Updates the mean with the audio so far.
static inline void skps_update_mean(ps_decoder_t *decoder) {
  cmn_t *cmn = ps_get_feat(decoder)->cmn_struct;
  if (cmn->nframe > 0) cmn_live_update(cmn);
}

static inline void skps_get_mean(ps_decoder_t *decoder, float *mean) {
  cmn_live_get(ps_get_feat(decoder)->cmn_struct, mean);
}

// MARK: - Cepstra

/// The number of values in the cepstrum of a frame.
static inline int skps_cepstrum_length(ps_decoder_t *decoder) {
  return fe_get_output_size(ps_get_fe(decoder));
}

/// The number of frames on each side that contribute to the features of a frame.
static inline int skps_frames_around(ps_decoder_t *decoder) {
  return feat_window_size(ps_get_feat(decoder));
}

/// The maximum number of frames for a number of samples.
static inline int skps_frame_limit(size_t count) { return (int)(count / 160) + 8; }

static inline int skps_cepstra_unguarded(
    ps_decoder_t *decoder, const int16_t *samples, size_t count, float *values) {
  fe_t *frontend = ps_get_fe(decoder);
  int room = skps_frame_limit(count);
  mfcc_t **rows = skps_rows(values, fe_get_output_size(frontend), room);
  if (rows == NULL) return -1;
  const int16 *input = samples;
  size_t left = count;
  int32 made = room - 1, last = 0, out_of_order = 0;
  int total = -1;
  fe_start_stream(frontend);
  if (fe_start_utt(frontend) == 0
      && fe_process_frames(frontend, &input, &left, rows, &made, &out_of_order) >= 0
      && fe_end_utt(frontend, rows[made], &last) >= 0) {
    total = made + last;
  }
  free(rows);
  return total;
}

/// Computes the cepstra of these samples, row after row, in a table with room for the maximum
/// number of frames. Returns the number of frames, or a negative number. Only between utterances.
static inline int skps_cepstra(
    ps_decoder_t *decoder, const int16_t *samples, size_t count, float *values) {
  return SKSM_GUARDED(-1, skps_cepstra_unguarded(decoder, samples, count, values));
}

// MARK: - Features

/// The number of values in the features of a frame.
static inline int skps_feature_length(ps_decoder_t *decoder) {
  feat_t *maker = ps_get_feat(decoder);
  int length = 0;
  for (int i = 0; i < (int)feat_dimension1(maker); i++) length += (int)feat_dimension2(maker, i);
  return length;
}

/// Computes the features of these cepstra, which are a complete utterance without its mean. Returns
/// the number of frames, or a negative number. Only between utterances, and not while a known mean
/// is subtracted.
static inline int skps_features(
    ps_decoder_t *decoder, float *cepstra, int frames, float *values) {
  feat_t *maker = ps_get_feat(decoder);
  int length = skps_feature_length(decoder);
  mfcc_t **rows = skps_rows(cepstra, feat_cepsize(maker), frames);
  mfcc_t ***made = feat_array_alloc(maker, frames + feat_window_size(maker));
  int total = -1;
  if (rows != NULL && made != NULL) {
    int32 taken = frames;
    total = feat_s2mfc2feat_live(maker, rows, &taken, 1, 1, made);
    if (total > frames) total = frames;
    for (int i = 0; i < total; i++) {
      memcpy(values + (size_t)i * (size_t)length, made[i][0], (size_t)length * sizeof(float));
    }
  }
  feat_array_free(made);
  free(rows);
  return total;
}

/// Does the same within an utterance, whose last frames are restored afterwards.
static inline int skps_features_aside(
    ps_decoder_t *decoder, float *cepstra, int frames, float *values) {
  feat_t *maker = ps_get_feat(decoder);
  size_t size = (size_t)LIVEBUFBLOCKSIZE * (size_t)feat_cepsize(maker) * sizeof(mfcc_t);
  void *kept = malloc(size);
  if (kept == NULL) return -1;
  memcpy(kept, maker->cepbuf[0], size);
  int32 written = maker->bufpos, read = maker->curpos;
  int total = SKSM_GUARDED(-1, skps_features(decoder, cepstra, frames, values));
  memcpy(maker->cepbuf[0], kept, size);
  maker->bufpos = written;
  maker->curpos = read;
  free(kept);
  return total;
}

#pragma once
#include <flite/flite.h>
#include <flite/flite_version.h>
#include <setjmp.h>

// Sets the style of a voice. The library identifies feature names by their address, so they have to
// be C literals.
static inline void speechkit_flite_set_style(
    cst_voice *voice, float stretch, float pitch, float mean) {
  flite_feat_set_float(voice->features, "duration_stretch", stretch);
  flite_feat_set_float(voice->features, "f0_shift", pitch);
  flite_feat_set_float(voice->features, "int_f0_target_mean", mean);
}

// Flite ends the process on an internal error unless it has a place to jump to, and Swift cannot
// call setjmp. Returns NULL if the text could not be synthesised.
static inline cst_utterance *speechkit_flite_synthesize(const char *text, cst_voice *voice) {
  jmp_buf here;
  jmp_buf *before = cst_errjmp;
  cst_utterance *volatile utterance = NULL;
  if (setjmp(here) == 0) {
    cst_errjmp = &here;
    utterance = flite_synth_text(text, voice);
  } else {
    utterance = NULL;
  }
  cst_errjmp = before;
  return utterance;
}

// Requesting a missing wave would be such an error. Returns NULL if there is none.
static inline const cst_wave *speechkit_flite_wave(const cst_utterance *utterance) {
  const cst_val *value = flite_get_param_val(utterance->features, "wave", NULL);
  return value ? val_wave(value) : NULL;
}

// Returns the first token of the text, or NULL.
static inline cst_item *speechkit_flite_first_token(const cst_utterance *utterance) {
  if (!utt_relation_present((cst_utterance *)utterance, "Token")) return NULL;
  return relation_head(utt_relation(utterance, "Token"));
}

// Returns the seconds at which the first word of a token begins and the last one ends; false if it
// is not spoken.
static inline int speechkit_flite_token_times(const cst_item *token, float *start, float *end) {
  const cst_item *first = item_daughter(token);
  const cst_item *last = item_last_daughter(token);
  if (!first || !last) return 0;
  first = item_as(first, "Word");
  last = item_as(last, "Word");
  if (!first || !last) return 0;
  *start = flite_ffeature_float(first, "R:SylStructure.daughter.daughter.R:Segment.p.end");
  *end = flite_ffeature_float(last, "R:SylStructure.daughtern.daughtern.R:Segment.end");
  return *end > 0;
}

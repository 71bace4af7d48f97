#pragma once

// How well sound fits the phones of an acoustic model: the inner loops of AcceptanceScorer, and the
// bulk work on a model's files. In C because Swift that is not optimised is a hundred times slower at
// it, and tests and programs in the making are not optimised. All of it is plain arithmetic on memory
// that the caller owns.

#include <stddef.h>
#include <stdint.h>

// MARK: - Files

/// Copies 32-bit words, turning their bytes around if asked to.
void skph_copy_words(const void *bytes, size_t count, int swapped, uint32_t *words);

/// Whether none of these 32-bit words is a floating-point number that is infinite or none.
int skph_are_finite(const void *bytes, size_t count, int swapped);

/// The sum of 32-bit words as the Sphinx 3 format has it: turned by 20 bits between each two.
uint32_t skph_checksum(const void *bytes, size_t count, int swapped);

/// The forms in which mixture weights are stored.
enum {
  /// A byte for each stream, density and senone: the logarithm in negative units.
  skph_weights_bytes,
  /// Half a byte, which chooses one of sixteen such bytes in front of all.
  skph_weights_halves,
  /// A floating-point number for each senone, stream and density: a count.
  skph_weights_counts
};

/// Stored mixture weights.
struct skph_weights {
  const uint8_t *bytes;
  int form;
  int swapped;
  /// What one counts, in natural logarithms; positive.
  float unit;
  int senones;
  int streams;
  int densities;
};

/// The logarithms of these senones' weights: for each senone and stream the densities, filled up to
/// blocks of four with what never wins.
void skph_gather_weights(
    const struct skph_weights *stored, const int32_t *senones, int count, float *weights);

// MARK: - Mixtures of Gaussians

/// The length of a codebook's numbers.
size_t skph_codebook_length(const int32_t *widths, int streams, int densities);

/// Prepares means and variances: for each codebook, stream and block of four densities their constants,
/// then for each value the factors of its square and of itself.
void skph_gaussians(
    const float *means, const float *variances, const int32_t *widths, int streams, int codebooks,
    int densities, float *gaussians);

/// States and what they sound like.
struct skph_states {
  const float *gaussians;
  const int32_t *widths;
  int streams;
  int densities;
  int count;
  /// The codebook of each state.
  const int32_t *codebooks;
  /// The weights of each state, as they were gathered.
  const float *weights;
};

/// How well frames fit states, in natural logarithms: for each frame all states. Negative if there is
/// not the memory.
int skph_score(
    const struct skph_states *states, const float *frames, int count, float *scores);

// MARK: - Paths

/// The best sequence of any phones. `best` has the score of the best path up to and with each frame,
/// `phones` and `starts` the phone that ends best there and the frame that it starts in. Negative if
/// there is not the memory.
int skph_loop(
    const float *scores, int frames, int phones, int states, float penalty, float *best,
    int32_t *ended, int32_t *starts);

/// The state of each frame on the best path through states that follow each other. Negative if there is
/// not the memory.
int skph_align(const float *scores, int frames, int states, int32_t *path);

/// The score of the phone that fits all these frames best, each state in its turn.
float skph_best_phone(const float *scores, int frames, int phones, int states);

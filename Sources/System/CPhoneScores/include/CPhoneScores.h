#pragma once

// Scores audio against the phones of an acoustic model: the inner loops of AcceptanceScorer, and
// bulk operations on a model's files. In C because unoptimised Swift is a hundred times slower, and
// tests and debug builds are not optimised. All functions are plain arithmetic on memory that the
// caller owns.

#include <stddef.h>
#include <stdint.h>

// MARK: - Files

/// Copies 32-bit words, and swaps their bytes if requested.
void skph_copy_words(const void *bytes, size_t count, int swapped, uint32_t *words);

/// Nonzero if all of these 32-bit words are finite floating-point numbers.
int skph_are_finite(const void *bytes, size_t count, int swapped);

/// The checksum of 32-bit words in the Sphinx 3 format: rotated by 20 bits between each two.
uint32_t skph_checksum(const void *bytes, size_t count, int swapped);

/// The n-grams of one length in a binary language model, packed into bits. Each has a word, a
/// back-off and a probability as numbers of tables, and the first longer n-gram; the longest have
/// neither the second nor the last.
struct skph_ngrams {
  /// With eight bytes after the last n-gram.
  const uint8_t *bytes;
  int word_bits;
  int next_bits;
  int is_longest;
  /// The number of n-grams that shorter ones refer to. One more is there.
  uint32_t count;
  /// The number of different words, and the number of longer n-grams.
  uint32_t words;
  uint32_t longer;
  const void *probabilities;
  const void *back_offs;
};

/// The results of checking n-grams.
enum {
  skph_ngrams_sound,
  /// A reference to a longer n-gram is smaller than the one before, or exceeds their number.
  skph_ngrams_misplaced,
  /// A word does not exist.
  skph_ngrams_unknown,
  /// A number is none, or so large that sums of scores overflow.
  skph_ngrams_absurd
};

/// Checks single words, of which each has a probability, a back-off and its first n-gram of two
/// words. `reached` receives the number of n-grams of two words that they refer to.
int skph_check_words(
    const void *bytes, uint32_t count, uint32_t longer, float limit, uint32_t *reached);

/// Checks longer n-grams in the same way.
int skph_check_ngrams(const struct skph_ngrams *ngrams, float limit, uint32_t *reached);

/// A hash of a word of a pronunciation dictionary, from 0 to 65,535.
unsigned skph_word_hash(const char *word, size_t length);

/// Finds the next line at or after an offset that begins with a word whose hash is among those
/// marked. The number of a further pronunciation, as in “read(2)”, does not count. Other words may
/// have the same hash.
///
/// Returns the offset of the line and sets its length; at the end of the text returns its length.
size_t skph_find_line(
    const char *text, size_t length, size_t offset, const uint8_t *marked, size_t *line_length);

/// The storage formats of mixture weights.
enum {
  /// A byte for each stream, density and senone: the logarithm in negative units.
  skph_weights_bytes,
  /// Half a byte, which selects one of the sixteen such bytes at the start.
  skph_weights_halves,
  /// A floating-point number for each senone, stream and density: a count.
  skph_weights_counts
};

/// Stored mixture weights.
struct skph_weights {
  const uint8_t *bytes;
  int form;
  int swapped;
  /// The unit in natural logarithms; positive.
  float unit;
  int senones;
  int streams;
  int densities;
};

/// Gathers the logarithms of these senones' weights: for each senone and stream the densities,
/// padded to blocks of four with values that never win.
void skph_gather_weights(
    const struct skph_weights *stored, const int32_t *senones, int count, float *weights);

// MARK: - Mixtures of Gaussians

/// The number of values in a codebook.
size_t skph_codebook_length(const int32_t *widths, int streams, int densities);

/// Prepares means and variances: for each codebook, stream and block of four densities their
/// constants, then for each value the factors of its square and of itself.
void skph_gaussians(
    const float *means, const float *variances, const int32_t *widths, int streams, int codebooks,
    int densities, float *gaussians);

/// States with their codebooks and weights.
struct skph_states {
  const float *gaussians;
  const int32_t *widths;
  int streams;
  int densities;
  int count;
  /// The codebook of each state.
  const int32_t *codebooks;
  /// The gathered weights of each state.
  const float *weights;
};

/// Scores frames against states, in natural logarithms: for each frame all states. Returns a
/// negative number if memory is exhausted.
int skph_score(
    const struct skph_states *states, const float *frames, int count, float *scores);

// MARK: - Paths

/// Finds the best sequence of any phones. `best` receives the score of the best path up to and
/// including each frame, `phones` and `starts` the phone that ends best there and the frame in
/// which it starts. Returns a negative number if memory is exhausted.
int skph_loop(
    const float *scores, int frames, int phones, int states, float penalty, float *best,
    int32_t *ended, int32_t *starts);

/// Finds the state of each frame on the best path through consecutive states. Returns a negative
/// number if memory is exhausted.
int skph_align(const float *scores, int frames, int states, int32_t *path);

/// The score of the phone that fits all these frames best, with its states in order.
float skph_best_phone(const float *scores, int frames, int phones, int states);

#pragma once

// Aligns words with audio: the inner loop of WordAlignment. In C because unoptimised Swift is a
// hundred times slower, and tests and debug builds are not optimised. Plain arithmetic on memory
// that the caller owns.

#include <stdint.h>

/// Words in their order, each with its pronunciations, each of these with its states.
struct skwa_words {
  int count;
  /// For each word the number after that of its last pronunciation.
  const int32_t *pronunciations;
  /// For each pronunciation the number after that of its last state.
  const int32_t *states;
  /// For each state its column in the scores.
  const int32_t *columns;
};

/// The place of a word: its first frame, the frame after its last, the number of its pronunciation,
/// and the score of its frames.
struct skwa_place {
  int32_t start;
  int32_t end;
  int32_t pronunciation;
  float score;
};

/// Finds the best places of the words. Before, between and after them there may be other frames.
///
/// `scores` has `width` numbers for each frame, `others` the score of a frame outside of the words.
/// Returns 0, 1 if the words do not fit into the frames, or a negative number if memory is
/// exhausted. `score` receives that of all frames.
int skwa_align(
    const struct skwa_words *words, const float *scores, int frames, int width,
    const float *others, struct skwa_place *places, float *score);

#include "CWordAlignment.h"

#include <stdlib.h>

static const float never = -1e30f;

// The best way to have spoken a number of words by the end of a frame: its score, the frame in
// which the last of them began and its pronunciation, or -1 if the frame is outside of the words.
struct step {
  float score;
  int32_t entry;
  int32_t pronunciation;
};

// Advances the states of a pronunciation by a frame.
static void advance(
    const struct skwa_words *words, int first, int end, const float *row, int frame, float before,
    float *tokens, int32_t *entries) {
  for (int state = end - 1; state >= first; state--) {
    float entering = state > first ? tokens[state - 1] : before;
    if (entering > tokens[state]) {
      tokens[state] = entering;
      entries[state] = state > first ? entries[state - 1] : frame;
    }
    if (tokens[state] > never) tokens[state] += row[words->columns[state]];
  }
}

// Follows the best path back from its end.
static void trace(
    const struct skwa_words *words, const struct step *steps, int frames,
    struct skwa_place *places) {
  int word = words->count;
  int frame = frames - 1;
  while (word > 0 && frame >= 0) {
    const struct step *step = steps + (size_t)word * (size_t)frames + (size_t)frame;
    if (step->entry < 0) {
      frame--;
      continue;
    }
    const struct step *before = steps + (size_t)(word - 1) * (size_t)frames;
    word--;
    places[word].start = step->entry;
    places[word].end = frame + 1;
    places[word].pronunciation = step->pronunciation;
    places[word].score = step->score - (step->entry > 0 ? before[step->entry - 1].score : 0);
    frame = step->entry - 1;
  }
}

int skwa_align(
    const struct skwa_words *words, const float *scores, int frames, int width,
    const float *others, struct skwa_place *places, float *score) {
  int count = words->count;
  if (count <= 0 || frames <= 0 || words->pronunciations[count - 1] <= 0) return 1;
  int states = words->states[words->pronunciations[count - 1] - 1];
  float *tokens = malloc((size_t)states * sizeof(float));
  int32_t *entries = calloc((size_t)states, sizeof(int32_t));
  struct step *steps = malloc(((size_t)count + 1) * (size_t)frames * sizeof(struct step));
  if (tokens == NULL || entries == NULL || steps == NULL) {
    free(tokens);
    free(entries);
    free(steps);
    return -1;
  }
  for (int state = 0; state < states; state++) tokens[state] = never;
  for (int frame = 0; frame < frames; frame++, scores += width) {
    // The last word first, because each is entered from where the one before was a frame ago.
    for (int word = count; word >= 0; word--) {
      struct step *step = steps + (size_t)word * (size_t)frames + (size_t)frame;
      float last = frame > 0 ? step[-1].score : word == 0 ? 0 : never;
      *step = (struct step){last > never ? last + others[frame] : never, -1, 0};
      if (word == 0) continue;
      float before = frame > 0 ? step[-frames - 1].score : word == 1 ? 0 : never;
      int first = word > 1 ? words->pronunciations[word - 2] : 0;
      for (int one = first; one < words->pronunciations[word - 1]; one++) {
        int start = one > 0 ? words->states[one - 1] : 0;
        int end = words->states[one];
        if (end <= start) continue;
        advance(words, start, end, scores, frame, before, tokens, entries);
        if (tokens[end - 1] > step->score) {
          *step = (struct step){tokens[end - 1], entries[end - 1], one - first};
        }
      }
    }
  }
  *score = steps[((size_t)count + 1) * (size_t)frames - 1].score;
  int code = *score > never ? 0 : 1;
  if (code == 0) trace(words, steps, frames, places);
  free(tokens);
  free(entries);
  free(steps);
  return code;
}

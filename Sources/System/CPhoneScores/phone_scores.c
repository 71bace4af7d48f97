#include "CPhoneScores.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Four numbers that are processed at once. They need not be aligned.
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t four_marks __attribute__((vector_size(16), aligned(4), may_alias));

static const float never = -1e30f;

// MARK: - Files

static uint32_t word_at(const void *bytes, size_t index, int swapped) {
  uint32_t word;
  memcpy(&word, (const uint8_t *)bytes + index * 4, 4);
  return swapped ? __builtin_bswap32(word) : word;
}

void skph_copy_words(const void *bytes, size_t count, int swapped, uint32_t *words) {
  if (!swapped) {
    if (count > 0) memcpy(words, bytes, count * 4);
    return;
  }
  for (size_t index = 0; index < count; index++) words[index] = word_at(bytes, index, 1);
}

int skph_are_finite(const void *bytes, size_t count, int swapped) {
  for (size_t index = 0; index < count; index++) {
    if ((word_at(bytes, index, swapped) & 0x7F800000u) == 0x7F800000u) return 0;
  }
  return 1;
}

uint32_t skph_checksum(const void *bytes, size_t count, int swapped) {
  uint32_t sum = 0;
  for (size_t index = 0; index < count; index++) {
    sum = (sum << 20 | sum >> 12) + word_at(bytes, index, swapped);
  }
  return sum;
}

static float number_at(const void *bytes, size_t index) {
  float number;
  memcpy(&number, (const uint8_t *)bytes + index * 4, 4);
  return number;
}

// False also for what is no number. Zero probability is a large negative number, in some models the
// smallest integer; there is no limit in that direction, because the search cuts it off.
static int is_probability(float number, float limit) {
  return number >= -2147483648.0f && number <= limit;
}

int skph_check_words(
    const void *bytes, uint32_t count, uint32_t longer, float limit, uint32_t *reached) {
  uint32_t next = 0;
  for (size_t word = 0; word <= count; word++) {
    uint32_t first = word_at(bytes, word * 3 + 2, 0);
    if (first < next || first > longer) return skph_ngrams_misplaced;
    next = first;
    // The last entry has only a reference.
    if (word == count) break;
    if (!is_probability(number_at(bytes, word * 3), limit)) return skph_ngrams_absurd;
    if (!is_probability(number_at(bytes, word * 3 + 1), limit)) return skph_ngrams_absurd;
  }
  *reached = next;
  return skph_ngrams_sound;
}

// Up to 25 bits.
static uint32_t bits_at(const uint8_t *bytes, uint64_t offset, int count) {
  uint32_t word;
  memcpy(&word, bytes + offset / 8, 4);
  return word >> (offset % 8) & ((1u << count) - 1);
}

int skph_check_ngrams(const struct skph_ngrams *ngrams, float limit, uint32_t *reached) {
  int has_next = !ngrams->is_longest;
  uint64_t width = (uint64_t)(ngrams->word_bits + (has_next ? 32 + ngrams->next_bits : 16));
  uint32_t next = 0;
  for (uint64_t place = 0; place <= ngrams->count; place++) {
    uint64_t offset = place * width;
    if (has_next) {
      uint64_t reference = offset + (uint64_t)ngrams->word_bits + 32;
      uint32_t first = bits_at(ngrams->bytes, reference, ngrams->next_bits);
      if (first < next || first > ngrams->longer) return skph_ngrams_misplaced;
      next = first;
    }
    if (place == ngrams->count) break;
    if (bits_at(ngrams->bytes, offset, ngrams->word_bits) >= ngrams->words) {
      return skph_ngrams_unknown;
    }
    offset += (uint64_t)ngrams->word_bits;
    if (has_next) {
      float back_off = number_at(ngrams->back_offs, bits_at(ngrams->bytes, offset, 16));
      if (!is_probability(back_off, limit)) return skph_ngrams_absurd;
      offset += 16;
    }
    float probability = number_at(ngrams->probabilities, bits_at(ngrams->bytes, offset, 16));
    if (!is_probability(probability, limit)) return skph_ngrams_absurd;
  }
  *reached = next;
  return skph_ngrams_sound;
}

unsigned skph_word_hash(const char *word, size_t length) {
  uint32_t hash = 2166136261u;
  for (size_t index = 0; index < length; index++) hash = (hash ^ (uint8_t)word[index]) * 16777619u;
  return (hash >> 16 ^ hash) & 0xFFFFu;
}

// The library separates words at any white space, also at the end of a line.
static int is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\v' || letter == '\f';
}

size_t skph_find_line(
    const char *text, size_t length, size_t offset, const uint8_t *marked, size_t *line_length) {
  while (offset < length) {
    const char *line = text + offset;
    const char *line_break = memchr(line, '\n', length - offset);
    *line_length = line_break ? (size_t)(line_break - line) : length - offset;
    const char *end = line + *line_length;
    const char *word = line;
    while (word < end && is_blank(*word)) word++;
    const char *stop = word;
    while (stop < end && !is_blank(*stop)) stop++;
    if (stop - word > 2 && stop[-1] == ')') {
      const char *open = stop - 2;
      while (open > word && *open != '(') open--;
      if (open > word) stop = open;
    }
    if (stop > word && marked[skph_word_hash(word, (size_t)(stop - word))]) return offset;
    offset += *line_length + 1;
  }
  *line_length = 0;
  return length;
}

static int blocks_of(int densities) { return (densities + 3) / 4; }

static float logged(uint8_t weight, float unit) { return -unit * (float)weight; }

static void gather_counts(
    const struct skph_weights *stored, size_t row, float *weights) {
  size_t first = row * (size_t)stored->densities;
  double total = 0;
  for (int density = 0; density < stored->densities; density++) {
    uint32_t word = word_at(stored->bytes, first + (size_t)density, stored->swapped);
    memcpy(&weights[density], &word, 4);
    total += weights[density];
  }
  if (!(total > 1e-20)) total = 1e-20;
  for (int density = 0; density < stored->densities; density++) {
    float share = (float)(weights[density] / total);
    float units = share > 1e-7f ? roundf(-logf(share) / stored->unit) : 255;
    weights[density] =
          units <= 255 ? (units > 0 ? -stored->unit * units : 0) : logged(255, stored->unit);
  }
}

void skph_gather_weights(
    const struct skph_weights *stored, const int32_t *senones, int count, float *weights) {
  int padded = 4 * blocks_of(stored->densities);
  size_t half_row = ((size_t)stored->senones + 1) / 2;
  for (int wanted = 0; wanted < count; wanted++) {
    size_t senone = (size_t)senones[wanted];
    for (int stream = 0; stream < stored->streams; stream++) {
      for (int density = stored->densities; density < padded; density++) weights[density] = never;
      if (stored->form == skph_weights_counts) {
        gather_counts(stored, senone * (size_t)stored->streams + (size_t)stream, weights);
      } else {
        size_t line = (size_t)stream * (size_t)stored->densities;
        for (int density = 0; density < stored->densities; density++, line++) {
          if (stored->form == skph_weights_bytes) {
            weights[density] =
                logged(stored->bytes[line * (size_t)stored->senones + senone], stored->unit);
          } else {
            uint8_t pair = stored->bytes[16 + line * half_row + senone / 2];
            weights[density] =
                logged(stored->bytes[senone % 2 == 0 ? pair & 15 : pair >> 4], stored->unit);
          }
        }
      }
      weights += padded;
    }
  }
}

// MARK: - Mixtures of Gaussians

size_t skph_codebook_length(const int32_t *widths, int streams, int densities) {
  size_t length = 0;
  for (int stream = 0; stream < streams; stream++) {
    length += (size_t)blocks_of(densities) * 4 * (1 + 2 * (size_t)widths[stream]);
  }
  return length;
}

void skph_gaussians(
    const float *means, const float *variances, const int32_t *widths, int streams, int codebooks,
    int densities, float *gaussians) {
  for (int codebook = 0; codebook < codebooks; codebook++) {
    for (int stream = 0; stream < streams; stream++) {
      int width = widths[stream];
      for (int density = 0; density < 4 * blocks_of(densities); density++) {
        float *target =
            gaussians + (size_t)(density / 4) * 4 * (1 + 2 * (size_t)width) + density % 4;
        if (density >= densities) {
          target[0] = never;
          for (int value = 1; value <= 2 * width; value++) target[4 * (size_t)value] = 0;
          continue;
        }
        float constant = 0;
        for (int value = 0; value < width; value++) {
          float mean = *means++;
          float variance = *variances++;
          if (!(variance > 1e-4f)) variance = 1e-4f;
          constant -= 0.5f * (logf(6.2831853f * variance) + mean * mean / variance);
          target[4 * (1 + 2 * (size_t)value)] = -0.5f / variance;
          target[4 * (2 + 2 * (size_t)value)] = mean / variance;
        }
        target[0] = constant;
      }
      gaussians += (size_t)blocks_of(densities) * 4 * (1 + 2 * (size_t)width);
    }
  }
}

// The contribution of a value to a density. Written out four times in one expression, because a
// compiler without optimisation keeps every variable in memory, but not the parts of an expression.
#define term(values, place, index) \
  (values)[index] * ((values)[index] * (place)[2 * (index)] + (place)[2 * (index) + 1])

// The likelihoods of a stream's densities for two frames: the table of all densities exceeds the
// processor's caches, so that reading it costs as much as using it.
static void score_densities(
    const four *place, int blocks, int width, const four *first, const four *second, four *one,
    four *other) {
  for (int block = 0; block < blocks; block++) {
    four sum = place[0];
    four other_sum = place[0];
    const four *values = first;
    const four *other_values = second;
    place += 1;
    int left = width;
    for (; left >= 4; left -= 4) {
      sum += (term(values, place, 0) + term(values, place, 1))
          + (term(values, place, 2) + term(values, place, 3));
      other_sum += (term(other_values, place, 0) + term(other_values, place, 1))
          + (term(other_values, place, 2) + term(other_values, place, 3));
      place += 8;
      values += 4;
      other_values += 4;
    }
    for (; left > 0; left--) {
      sum += term(values, place, 0);
      other_sum += term(other_values, place, 0);
      place += 2;
      values += 1;
      other_values += 1;
    }
    one[block] = sum;
    other[block] = other_sum;
  }
}

static four larger(four one, four other) {
  four_marks marks = (four_marks)(one > other);
  return (four)(((four_marks)one & marks) | ((four_marks)other & ~marks));
}

// The likelihood of a mixture, approximated by that of its likeliest density.
static float score_mixture(const four *densities, const four *weights, int blocks) {
  four best = densities[0] + weights[0];
  for (int block = 1; block < blocks; block++) {
    best = larger(densities[block] + weights[block], best);
  }
  float found = best[0];
  for (int index = 1; index < 4; index++) {
    if (best[index] > found) found = best[index];
  }
  return found;
}

int skph_score(
    const struct skph_states *states, const float *frames, int count, float *scores) {
  int blocks = blocks_of(states->densities);
  size_t length = skph_codebook_length(states->widths, states->streams, states->densities);
  int width = 0;
  for (int stream = 0; stream < states->streams; stream++) width += states->widths[stream];
  size_t room = (size_t)width + (size_t)states->streams * (size_t)blocks;
  four *memory = calloc(2 * room, sizeof(four));
  if (memory == NULL) return -1;
  four *values = memory, *other_values = memory + width;
  four *one = other_values + width, *other = one + (size_t)states->streams * (size_t)blocks;

  for (int frame = 0; frame < count; frame += 2) {
    int next = frame + 1 < count ? frame + 1 : frame;
    for (int index = 0; index < width; index++) {
      float value = frames[(size_t)frame * (size_t)width + (size_t)index];
      float other_value = frames[(size_t)next * (size_t)width + (size_t)index];
      values[index] = (four){value, value, value, value};
      other_values[index] = (four){other_value, other_value, other_value, other_value};
    }
    int32_t known = -1;
    for (int state = 0; state < states->count; state++) {
      if (states->codebooks[state] != known) {
        known = states->codebooks[state];
        const float *table = states->gaussians + (size_t)known * length;
        int start = 0;
        for (int stream = 0; stream < states->streams; stream++) {
          score_densities(
              (const four *)table, blocks, states->widths[stream], values + start,
              other_values + start, one + stream * blocks, other + stream * blocks);
          table += (size_t)blocks * 4 * (1 + 2 * (size_t)states->widths[stream]);
          start += states->widths[stream];
        }
      }
      float sum = 0;
      float other_sum = 0;
      const four *weights =
          (const four *)states->weights + (size_t)state * (size_t)states->streams * (size_t)blocks;
      for (int stream = 0; stream < states->streams; stream++) {
        sum += score_mixture(one + stream * blocks, weights, blocks);
        other_sum += score_mixture(other + stream * blocks, weights, blocks);
        weights += blocks;
      }
      scores[(size_t)frame * (size_t)states->count + (size_t)state] = sum;
      scores[(size_t)next * (size_t)states->count + (size_t)state] = other_sum;
    }
  }
  free(memory);
  return 0;
}

// MARK: - Paths

int skph_loop(
    const float *scores, int frames, int phones, int states, float penalty, float *best,
    int32_t *ended, int32_t *starts) {
  size_t count = (size_t)phones * (size_t)states;
  float *tokens = malloc(count * sizeof(float));
  int32_t *entries = calloc(count, sizeof(int32_t));
  if (tokens == NULL || entries == NULL) {
    free(tokens);
    free(entries);
    return -1;
  }
  for (size_t state = 0; state < count; state++) tokens[state] = never;
  float left = 0;
  for (int frame = 0; frame < frames; frame++, scores += count) {
    float entry = frame == 0 ? 0 : left + penalty;
    float top = never;
    left = never;
    ended[frame] = 0;
    starts[frame] = frame;
    for (int phone = 0; phone < phones; phone++) {
      size_t first = (size_t)phone * (size_t)states;
      for (size_t state = first + (size_t)states - 1; state > first; state--) {
        if (tokens[state - 1] > tokens[state]) {
          tokens[state] = tokens[state - 1];
          entries[state] = entries[state - 1];
        }
        tokens[state] += scores[state];
        if (tokens[state] > top) top = tokens[state];
      }
      if (entry > tokens[first]) {
        tokens[first] = entry;
        entries[first] = frame;
      }
      tokens[first] += scores[first];
      if (tokens[first] > top) top = tokens[first];
      size_t last = first + (size_t)states - 1;
      if (tokens[last] > left) {
        left = tokens[last];
        ended[frame] = phone;
        starts[frame] = entries[last];
      }
    }
    best[frame] = top;
  }
  free(tokens);
  free(entries);
  return 0;
}

// Advances consecutive states by a frame, and marks the states that are entered if requested.
static void advance(
    float *tokens, const float *scores, int states, int is_first, uint8_t *entered) {
  for (int state = states - 1; state >= 0; state--) {
    if (state > 0 && tokens[state - 1] > tokens[state]) {
      tokens[state] = tokens[state - 1];
      if (entered != NULL) entered[state] = 1;
    }
    if (is_first) tokens[state] = state == 0 ? 0 : never;
    tokens[state] += scores[state];
  }
}

int skph_align(const float *scores, int frames, int states, int32_t *path) {
  float *tokens = malloc((size_t)states * sizeof(float));
  uint8_t *entered = calloc((size_t)frames, (size_t)states);
  if (tokens == NULL || entered == NULL) {
    free(tokens);
    free(entered);
    return -1;
  }
  for (int state = 0; state < states; state++) tokens[state] = never;
  for (int frame = 0; frame < frames; frame++) {
    size_t row = (size_t)frame * (size_t)states;
    advance(tokens, scores + row, states, frame == 0, entered + row);
  }
  int state = states - 1;
  for (int frame = frames - 1; frame >= 0; frame--) {
    path[frame] = state;
    if (frame > 0 && state > 0 && entered[(size_t)frame * (size_t)states + (size_t)state]) state--;
  }
  free(tokens);
  free(entered);
  return 0;
}

float skph_best_phone(const float *scores, int frames, int phones, int states) {
  float best = never;
  float tokens[16];
  if (states > 16) return best;
  for (int phone = 0; phone < phones; phone++) {
    for (int state = 0; state < states; state++) tokens[state] = never;
    for (int frame = 0; frame < frames; frame++) {
      const float *row =
          scores + ((size_t)frame * (size_t)phones + (size_t)phone) * (size_t)states;
      advance(tokens, row, states, frame == 0, NULL);
    }
    if (tokens[states - 1] > best) best = tokens[states - 1];
  }
  return best;
}

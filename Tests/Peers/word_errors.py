"""Reads pairs “said<tab>heard” from standard input and writes the number of errors in words and in characters of
each, as jiwer counts them, and last those of all together."""

import sys

import jiwer


def errors(outcome):
    return outcome.substitutions + outcome.deletions + outcome.insertions


pairs = [line.rstrip("\n").split("\t") for line in sys.stdin]
for said, heard in pairs:
    words = jiwer.process_words(said, heard)
    characters = jiwer.process_characters(said, heard)
    print(errors(words), errors(characters), repr(words.wer), repr(characters.cer), sep="\t")
words = jiwer.process_words([pair[0] for pair in pairs], [pair[1] for pair in pairs])
print(errors(words), repr(words.wer), sep="\t")

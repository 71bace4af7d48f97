"""Reads pairs “said<tab>heard” from standard input and writes for each the number of errors in words and in
characters and both rates, as jiwer counts them, the same as kaldialign counts them, and the words that are added,
missing and replaced as kaldialign finds them in the manner of sclite; last the errors and the rate of jiwer of all
together."""

import sys

import jiwer
import kaldialign


def errors(outcome):
    return outcome.substitutions + outcome.deletions + outcome.insertions


pairs = [line.rstrip("\n").split("\t") for line in sys.stdin]
for said, heard in pairs:
    words = jiwer.process_words(said, heard)
    characters = jiwer.process_characters(said, heard)
    other_words = kaldialign.edit_distance(said.split(), heard.split())
    other_characters = kaldialign.edit_distance(list(said), list(heard))
    sclite = kaldialign.edit_distance(said.split(), heard.split(), sclite_mode=True)
    print(
        errors(words), errors(characters), repr(words.wer), repr(characters.cer),
        other_words["total"], other_characters["total"], repr(other_words["err_rate"]),
        repr(other_characters["err_rate"]), sclite["ins"], sclite["del"], sclite["sub"], sep="\t")
words = jiwer.process_words([pair[0] for pair in pairs], [pair[1] for pair in pairs])
print(errors(words), repr(words.wer), sep="\t")

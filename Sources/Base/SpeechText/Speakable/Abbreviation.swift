/// Words whose full stop does not end a sentence.
///
/// All languages share one list: a missed cut costs a little time, whereas a wrong one breaks the
/// voice's intonation.
enum Abbreviation {
  /// Returns true if the full stop after the word probably belongs to the word.
  ///
  /// - Parameter following: the first character after the blank.
  static func isLikely(_ word: ArraySlice<Unicode.Scalar>, before following: Unicode.Scalar)
    -> Bool
  {
    guard let last = word.last else { return true }
    // “3. Mai” and “1.5.”, but also an end like “in 1999. Then”: ambiguous, so no cut.
    if last.properties.numericType != nil { return true }
    // “e.g.” and “U.S.”
    if word.contains(where: { $0.value == 0x2E }) { return true }
    if word.count == 1 { return last.properties.isAlphabetic }
    let letters = word.drop { !$0.properties.isAlphabetic }
    let name = String(String.UnicodeScalarView(letters)).lowercased()
    if beforeWords.contains(name) { return true }
    return following.properties.numericType != nil && beforeNumbers.contains(name)
  }

  /// Titles and similar words, after which the sentence continues whatever follows.
  private static let beforeWords: Set<String> = [
    // English.
    "mr", "mrs", "ms", "mx", "dr", "prof", "rev", "hon", "gen", "col", "maj", "capt", "cpt", "lt",
    "sgt", "gov", "sen", "rep", "pres", "messrs", "st", "mt", "vs", "cf", "al", "approx",
    "dept", "est", "inc", "ltd", "corp", "bros", "fig", "figs", "viz", "esp", "jr", "sr", "ave",
    "blvd", "rd",
    // German.
    "hr", "fr", "frl", "bzw", "evtl", "ggf", "inkl", "exkl", "zzgl", "vgl", "ca", "dipl", "ing",
    "phil", "jur", "rer", "str", "geb", "gest", "bspw", "sog", "usf",
    // French, Spanish, Portuguese, Italian.
    "mme", "mlle", "mgr", "sra", "srta", "srs", "dra", "ud", "uds", "vd", "dn", "sig", "sigg",
    "dott", "avv", "ecc", "exmo",
    // Dutch and the northern languages.
    "dhr", "mevr", "bijv", "ds", "drs", "fru", "bl", "jfr", "osv",
    // Slavonic, in either writing.
    "np", "tzn", "tj", "tzv", "napr", "ул", "г", "др", "им", "проф", "стр", "см",
  ]

  /// Words that have a number after them.
  private static let beforeNumbers: Set<String> = [
    "no", "nos", "nr", "nrs", "num", "núm", "vol", "vols", "pp", "pg", "ch", "chap", "sec", "art",
    "arts", "op", "ed", "par", "abs", "kap", "bd", "tel", "p", "s", "tab", "abb", "ex", "jan",
    "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "okt", "dez",
    "č", "№",
  ]
}

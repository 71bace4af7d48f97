import Foundation

/// The meaning of English spellings.
enum EnglishSpelling {
  /// The word in the letters of English, with a plain apostrophe: “naive” for “naïve”.
  static func plain(_ word: String) -> String {
    var text = word.precomposedStringWithCompatibilityMapping
    for (letter, letters) in [
      ("’", "'"), ("‘", "'"), ("ʼ", "'"), ("ß", "ss"), ("æ", "ae"), ("Æ", "Ae"), ("œ", "oe"),
      ("Œ", "Oe"), ("ø", "o"), ("Ø", "O"), ("ł", "l"), ("Ł", "L"), ("đ", "d"), ("Đ", "D"),
      ("þ", "th"), ("Þ", "Th"), ("ð", "th"), ("ı", "i"),
    ] where text.contains(letter) {
      text = text.replacingOccurrences(of: letter, with: letters)
    }
    guard !text.utf8.allSatisfy({ $0 < 128 }) else { return text }
    // Accents are separate scalars in this form; whatever is not ASCII now is not an English
    // letter.
    return String(
      String.UnicodeScalarView(
        text.decomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
          scalar.isASCII || signs[Character(scalar)] != nil
        }))
  }

  /// True if the word can be read as a word, because it has a vowel.
  static func canBeSaid(_ word: String) -> Bool {
    word.contains { "aeiouy".contains($0) }
  }

  /// Abbreviations, in lowercase and without dots. Those that are also words are listed only if the
  /// word itself is rare.
  static let abbreviations: [String: [String]] = [
    "mr": ["mister"], "mrs": ["missus"], "ms": ["miss"], "dr": ["doctor", "drive"],
    "st": ["saint", "street"], "prof": ["professor"], "jr": ["junior"], "sr": ["senior"],
    "vs": ["versus"], "etc": ["et cetera"], "inc": ["incorporated"], "ltd": ["limited"],
    "corp": ["corporation"], "dept": ["department"], "approx": ["approximately"],
    "blvd": ["boulevard"], "ave": ["avenue"], "rd": ["road"], "mt": ["mount"],
    "ft": ["fort", "feet"],
    "hwy": ["highway"], "govt": ["government"], "capt": ["captain"], "sgt": ["sergeant"],
    "lt": ["lieutenant"], "col": ["colonel"], "gen": ["general"], "rev": ["reverend"],
    "km": ["kilometers"], "cm": ["centimeters"], "mm": ["millimeters"], "kg": ["kilograms"],
    "mg": ["milligrams"], "ml": ["milliliters"], "lb": ["pound"], "lbs": ["pounds"],
    "oz": ["ounces"], "hz": ["hertz"], "khz": ["kilohertz"], "mhz": ["megahertz"],
    "ghz": ["gigahertz"], "mph": ["miles per hour", "m p h"], "kmh": ["kilometers per hour"],
    "min": ["minutes", "min"], "sec": ["seconds"], "hrs": ["hours"], "tv": ["t v"],
    "mon": ["monday"], "tue": ["tuesday"], "tues": ["tuesday"], "wed": ["wednesday", "wed"],
    "thu": ["thursday"], "thurs": ["thursday"], "fri": ["friday"],
    "jan": ["january", "jan"], "feb": ["february"], "apr": ["april"], "jun": ["june"],
    "jul": ["july"], "aug": ["august"], "sept": ["september"], "sep": ["september"],
    "oct": ["october"], "nov": ["november"], "dec": ["december"],
  ]

  /// Units that follow a number.
  static let units: [String: String] = [
    "km": "kilometers", "cm": "centimeters", "mm": "millimeters", "m": "meters",
    "kg": "kilograms", "mg": "milligrams", "g": "grams", "l": "liters", "ml": "milliliters",
    "lb": "pounds", "lbs": "pounds", "oz": "ounces", "ft": "feet", "in": "inches",
    "mi": "miles", "hr": "hours", "hrs": "hours", "h": "hours", "min": "minutes",
    "sec": "seconds", "s": "seconds", "ms": "milliseconds", "hz": "hertz", "khz": "kilohertz",
    "mhz": "megahertz", "ghz": "gigahertz", "kb": "kilobytes", "mb": "megabytes",
    "gb": "gigabytes", "tb": "terabytes", "mph": "miles per hour", "w": "watts",
    "kw": "kilowatts", "v": "volts", "x": "times", "c": "celsius", "f": "fahrenheit",
  ]

  static let signs: [Character: String] = [
    "&": "and", "@": "at", "%": "percent", "$": "dollar", "€": "euro", "£": "pound", "¥": "yen",
    "°": "degrees", ".": "point", "+": "plus", "=": "equals", "#": "number",
  ]

  static let currencies: Set<Character> = ["$", "€", "£", "¥"]

  static func plural(ofCurrency name: String) -> String { name == "yen" ? name : name + "s" }
}

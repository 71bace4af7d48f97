import Foundation
import SpeechCore

/// The contents of an `mdef`: the phones of a model, and the sizes of its other files.
struct ModelDefinition: Equatable {
  var phones: [String]
  var states: Int
  var senones: Int
  var matrices: Int

  /// The phones of spoken words: all but noises and silence.
  var spokenPhones: Set<String> {
    Set(phones.filter { !$0.hasPrefix("+") && $0 != "SIL" })
  }
}

extension ModelDefinition {
  init(_ url: URL) throws(SpeechRecognitionError) {
    var reader = try ModelFileReader(url)
    if let layout = try ModelDefinitionLayout(&reader) {
      try layout.check(&reader)
      self = layout.definition
    } else {
      self = try ModelDefinitionText.read(url)
    }
    guard phones.contains("SIL") else { throw reader.broken("it has no phone for silence (SIL)") }
  }
}

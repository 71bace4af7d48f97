import Foundation
import SpeechCommand

/// `--language`, of commands that look up words and models.
struct LanguageOption: OptionGroup {
  @Option("--language", "-l", as: .text("TAG"), help: "The language. Default: en-US.")
  var language: String?

  var locale: Locale { Locale(identifier: language ?? "en-US") }
}

import SpeechCore

extension RecogniserEntry {
  /// Whisper: free speech in many languages, offline. Its variants are the names of models.
  public static let whisper = RecogniserEntry(
    "whisper", of: WhisperDecoder.self, displayName: "Whisper",
    dictationErrors: 0.09,
    remedy:
      "`speechkit engines add whisper whisper:tiny.en` installs its library and a model; or set "
      + "SPEECHKIT_WHISPER to the folder of both.",
    access: { settings, locale in
      _ = try WhisperLibrary.load()
      _ = try WhisperModelName(settings.variant).find(for: locale.language.languageCode?.identifier)
    }
  ) { settings in
    var configuration = WhisperConfiguration(model: settings.variant)
    configuration.reportsPartials = settings.reportsPartials
    configuration.threads = settings.threads
    return configuration
  }
}

/// The voices of all engines of a catalogue.
public struct VoiceListing: Sendable {
  /// The voices in the order of the catalogue; `providerId` names the engine of each.
  public internal(set) var voices: [Voice] = []
  /// The engines that could not list their voices, with the reasons.
  public internal(set) var failures: [(provider: String, error: any Error)] = []
}

extension SpeechCatalog {
  /// Lists the voices of all engines for a language (`"en"`, `"de-DE"`; empty for all).
  ///
  /// All engines are asked at once. One that fails, such as a service without a key, is skipped and
  /// named in the result.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func allVoices(languageCode: String = "") async throws -> VoiceListing {
    try await VoiceListing(of: voices, languageCode: languageCode)
  }
}

extension VoiceListing {
  /// Asks the engines for their voices.
  package init(
    of entries: [VoiceEntry], languageCode: String, settings: VoiceSettings = VoiceSettings()
  ) async throws {
    let results = await withTaskGroup(of: (Int, Result<[Voice], any Error>).self) { group in
      for (index, entry) in entries.enumerated() {
        group.addTask {
          do {
            return (
              index,
              .success(try await entry.voices(languageCode: languageCode, settings: settings))
            )
          } catch {
            return (index, .failure(error))
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    try Task.checkCancellation()
    for (index, entry) in entries.enumerated() {
      switch results[index] {
      case .success(let found)?: voices += found
      case .failure(let error)?: failures.append((entry.name, error))
      case nil: break
      }
    }
  }
}

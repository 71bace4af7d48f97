import CWhisper
import Foundation
import SpeechConcurrency
import SpeechCore

/// whisper.cpp's library, which is loaded at run time, so that SpeechKit builds and runs without
/// it.
///
/// The settings of a decoding are passed by value in structures that change from version to
/// version. A library whose default settings are not found where they are expected is refused.
package final class WhisperLibrary: Sendable {
  /// The file that was loaded, as the loader found it.
  package let path: String
  /// The version, such as “1.8.5”.
  package let version: String
  let functions: WhisperFunctions

  private static let loaded = Guarded<[WhisperPlaces: WhisperLibrary]>([:])

  /// Loads the library from the first place that has it. Loaded once, and never unloaded.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if there is none, or if it is not
  ///   supported.
  package static func load(
    _ places: WhisperPlaces = .current
  ) throws(SpeechRecognitionError) -> WhisperLibrary {
    try loaded.withLock { loaded throws(SpeechRecognitionError) in
      if let known = loaded[places] { return known }
      let library = try first(in: places)
      loaded[places] = library
      return library
    }
  }

  private static func first(
    in places: WhisperPlaces
  ) throws(SpeechRecognitionError) -> WhisperLibrary {
    var failure: SpeechRecognitionError?
    for file in places.files {
      guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
        // A library that is not there is no failure, and one that the user named is.
        if file.contains("/") {
          failure = failure ?? .recognitionFailed("“\(file)” cannot be loaded: \(loaderMessage)")
        }
        continue
      }
      do {
        return try WhisperLibrary(handle, file: file)
      } catch {
        dlclose(handle)
        failure = failure ?? error
      }
    }
    throw failure ?? .recognitionFailed(places.missing)
  }

  private static var loaderMessage: String {
    dlerror().map { String(cString: $0) } ?? "no reason given"
  }

  private init(_ handle: UnsafeMutableRawPointer, file: String) throws(SpeechRecognitionError) {
    guard let version = WhisperFunctions.version(handle) else {
      throw .recognitionFailed(
        "“\(file)” is not a supported whisper.cpp library: it reports no version. "
          + "Install whisper.cpp \(Self.oldest) or later.")
    }
    guard version.compare(Self.oldest, options: .numeric) != .orderedAscending else {
      throw .recognitionFailed(
        "“\(file)” is whisper.cpp \(version), which is too old. Install \(Self.oldest) or later.")
    }
    let functions = try WhisperFunctions(handle, file: file)
    guard functions.hasKnownSettings else {
      throw .recognitionFailed(
        "“\(file)” is whisper.cpp \(version), whose settings differ from those of the "
          + "supported versions. Install whisper.cpp \(Self.newestKnown), or a newer SpeechKit.")
    }
    self.version = version
    self.functions = functions
    path = file
    WhisperLog.attach(functions)
    functions.loadBackends(beside: file)
  }

  private static let oldest = "1.8.2"
  private static let newestKnown = "1.9.3"
}

import SpeechCore

extension SystemLibrary {
  /// The library that all services are reached through.
  static let curl = SystemLibrary(
    "curl", package: "libcurl4", loadedFile: "libcurl.so.4")
}

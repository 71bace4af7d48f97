import Foundation

extension SpeechDiagnostics {
  /// Checks of the C libraries that this process has loaded, with their versions.
  static var libraries: [Check] {
    let catalog = SpeechCatalog.current
    let backends =
      catalog.recognisers.map { ("Recogniser \($0.displayName)", $0.library) }
      + catalog.voices.map { ("Voice \($0.displayName)", $0.library) }
    var seen: Set<SystemLibrary> = []
    return [
      library(SystemLibrary("sndfile", package: "libsndfile1"), of: "Audio files"),
      library(SystemLibrary("soxr", package: "libsoxr0"), of: "Resampling"),
      library(SystemLibrary("portaudio", package: "libportaudio2"), of: "Devices"),
      library(
        SystemLibrary("webrtc_audio_processing", package: "libwebrtc-audio-processing1"),
        of: "Echo"),
    ]
      + backends.compactMap { part, backend in
        backend.flatMap { seen.insert($0).inserted ? library($0, of: part) : nil }
      }
  }

  private static func library(_ library: SystemLibrary, of part: String) -> Check {
    Check(
      part: "library.\(library.name)", title: "Library \(library.name)",
      remedy: "Install the package \(library.package)."
    ) {
      if let file = library.loadedFile { dlopen(file, RTLD_LAZY) }
      // The version is in the file's name; not every library reports it.
      guard let path = loadedFile(of: library.name) else {
        throw Deficiency("\(part): it is not loaded as a library of its own")
      }
      let file = URL(filePath: path).lastPathComponent
      let version = file.components(separatedBy: ".so.").last ?? ""
      return "\(version) (\(path))"
    }
  }

  /// The file that the library was loaded from.
  private static func loadedFile(of name: String) -> String? {
    // The file's size is reported as 0, so it has to be read to its end.
    let maps = try? FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
    let lines = String(decoding: maps ?? Data(), as: UTF8.self)
    for line in lines.split(separator: "\n") {
      guard let start = line.firstIndex(of: "/") else { continue }
      let path = String(line[start...])
      if path.contains("/lib\(name).so") { return path }
    }
    return nil
  }
}

import Foundation

extension SpeechDiagnostics {
  /// Which builds of the C libraries this process runs with.
  static var libraries: [Check] {
    [
      library("sndfile", of: "Sound files", package: "libsndfile1"),
      library("soxr", of: "Resampling", package: "libsoxr0"),
      library("portaudio", of: "Devices", package: "libportaudio2"),
      library("pocketsphinx", of: "Recognition", package: "libpocketsphinx3"),
      library("espeak-ng", of: "Voice eSpeak NG", package: "libespeak-ng1"),
      library("flite", of: "Voice Flite", package: "libflite1"),
      library("webrtc_audio_processing", of: "Echo", package: "libwebrtc-audio-processing1"),
      library("curl", of: "Services", package: "libcurl4"),
    ]
  }

  private static func library(_ name: String, of part: String, package: String) -> Check {
    Check(
      part: "library.\(name)", title: "Library \(name)",
      remedy: "Install the package \(package)."
    ) {
      // The file's own name has the version, which not every one of them tells when asked.
      guard let path = loadedFile(of: name) else {
        throw Deficiency("\(part): it is not loaded as a library of its own")
      }
      let file = URL(filePath: path).lastPathComponent
      let version = file.components(separatedBy: ".so.").last ?? ""
      return "\(version) (\(path))"
    }
  }

  /// The file that the library was loaded from.
  private static func loadedFile(of name: String) -> String? {
    // Its size reads as 0, so that it has to be read to its end.
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

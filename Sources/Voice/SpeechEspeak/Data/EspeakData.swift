import Foundation

/// The data files of eSpeak NG's voices.
enum EspeakData {
  /// Finds `espeak-ng-data`: in the given folder, in `ESPEAK_DATA_PATH`, or in a default location.
  static func folder(preferring given: String? = nil) -> String? {
    let places: [String]
    if let given {
      places = [given]
    } else {
      let environment = ProcessInfo.processInfo.environment["ESPEAK_DATA_PATH"].map { [$0] } ?? []
      places = environment + defaultLocations
    }
    for place in places {
      for folder in [place + "/espeak-ng-data", place] where isData(folder) { return folder }
    }
    return nil
  }

  /// The names of the variants. Each can be added to any voice.
  static func variants(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder + "/voices/!v")
    return (names ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  private static let defaultLocations = [
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib/arm-linux-gnueabihf",
    "/usr/lib/riscv64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/share", "/usr/local/share",
    "/opt/homebrew/share",
  ]

  private static func isData(_ folder: String) -> Bool {
    ["phontab", "phondata", "phonindex", "intonations"].allSatisfy {
      FileManager.default.isReadableFile(atPath: folder + "/" + $0)
    }
  }
}

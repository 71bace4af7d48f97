// swift-tools-version: 6.2

import PackageDescription

/// A library of the system, found through pkg-config. The Debian package is what `Scripts/install`
/// installs and what the tests run against; the Homebrew formula is the same library's name there and
/// has not been tried.
func systemLibrary(
  _ name: String, pkgConfig: String? = nil, apt: String, brew: String? = nil
) -> Target {
  .systemLibrary(
    name: name, path: "Sources/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt])] + (brew.map { [.brew([$0])] } ?? []))
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(name)")
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)")
}

func sample(_ name: String, _ dependencies: [Target.Dependency] = ["SpeechKit"]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Samples/\(name)")
}

let package = Package(
  name: "SpeechKit",
  products: [
    .library(name: "SpeechKit", targets: ["SpeechKit"]),
    // The parts by themselves, for programs that want to choose what they link.
    .library(name: "SpeechCore", targets: ["SpeechCore"]),
    .library(name: "SpeechPortAudio", targets: ["SpeechPortAudio"]),
    .library(name: "SpeechPocketSphinx", targets: ["SpeechPocketSphinx"]),
    .library(name: "SpeechEspeak", targets: ["SpeechEspeak"]),
    .library(name: "SpeechFlite", targets: ["SpeechFlite"]),
    .executable(name: "speechkit", targets: ["speechkit"]),
  ],
  targets: [
    systemLibrary("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev", brew: "libsndfile"),
    systemLibrary("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev", brew: "libsoxr"),
    // Without pkg-config, whose `-pthread` the package manager refuses with a warning.
    systemLibrary("CPortAudio", apt: "portaudio19-dev", brew: "portaudio"),
    systemLibrary(
      "CEspeakNG", pkgConfig: "espeak-ng", apt: "libespeak-ng-dev", brew: "espeak-ng"),
    systemLibrary(
      "CPocketSphinx", pkgConfig: "pocketsphinx", apt: "libpocketsphinx-dev",
      brew: "cmu-pocketsphinx"),
    systemLibrary("CFlite", apt: "flite1-dev", brew: "flite"),
    systemLibrary("CGLib", pkgConfig: "glib-2.0", apt: "libglib2.0-dev", brew: "glib"),

    module("SpeechAudio", ["CSndFile", "CSoxr"]),
    module("SpeechCore", ["SpeechAudio"]),
    module("SpeechPortAudio", ["SpeechAudio", "CPortAudio"]),
    module("SpeechEspeak", ["SpeechCore", "CEspeakNG"]),
    module("SpeechFlite", ["SpeechCore", "CFlite"]),
    module("SpeechPocketSphinx", ["SpeechCore", "CPocketSphinx"]),
    module(
      "SpeechKit",
      [
        "SpeechAudio", "SpeechCore", "SpeechPortAudio", "SpeechEspeak", "SpeechFlite",
        "SpeechPocketSphinx",
      ]),
    .executableTarget(name: "speechkit", dependencies: ["SpeechKit"], path: "Sources/speechkit"),

    sample("Transcribe"),
    sample("Dictate"),
    sample("Speak"),
    sample("Converse"),
    sample("GLibLoop", ["SpeechKit", "CGLib"]),
    .executableTarget(name: "Benchmarks", dependencies: ["SpeechKit"], path: "Benchmarks"),

    tests("SpeechAudioTests", ["SpeechAudio"]),
    tests("SpeechCoreTests", ["SpeechCore"]),
    tests("SpeechPortAudioTests", ["SpeechPortAudio"]),
    tests("SpeechEspeakTests", ["SpeechEspeak"]),
    tests("SpeechFliteTests", ["SpeechFlite"]),
    tests("SpeechPocketSphinxTests", ["SpeechPocketSphinx"]),
    tests("SpeechKitTests", ["SpeechKit"]),
    tests("SpeechKitCommandTests", ["speechkit", "SpeechKit"]),
  ],
  swiftLanguageModes: [.v6]
)

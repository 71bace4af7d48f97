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
    .library(name: "SpeechGrammar", targets: ["SpeechGrammar"]),
    .library(name: "SpeechPortAudio", targets: ["SpeechPortAudio"]),
    .library(name: "SpeechEcho", targets: ["SpeechEcho"]),
    .library(name: "SpeechPocketSphinx", targets: ["SpeechPocketSphinx"]),
    .library(name: "SpeechEspeak", targets: ["SpeechEspeak"]),
    .library(name: "SpeechFlite", targets: ["SpeechFlite"]),
    .library(name: "AIServices", targets: ["AIServices"]),
    .library(name: "SpeechCloud", targets: ["SpeechCloud"]),
    .library(name: "SpeechConversation", targets: ["SpeechConversation"]),
    .library(name: "SpeechActions", targets: ["SpeechActions"]),
    .library(name: "SpeechConsole", targets: ["SpeechConsole"]),
    // For the tests of those who use it, and of those who write a service of their own.
    .library(name: "SpeechTesting", targets: ["SpeechTesting"]),
    .library(name: "SpeechExpectations", targets: ["SpeechExpectations"]),
    .library(name: "AIServiceTesting", targets: ["AIServiceTesting"]),
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
    // Without pkg-config, whose `-D` the package manager refuses with a warning.
    systemLibrary("CWebRTCAudioProcessing", apt: "libwebrtc-audio-processing-dev"),
    // Without pkg-config, whose only flag is for a library that its header does not need.
    systemLibrary("CMicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    systemLibrary("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),

    // Our own C, for loops that programs need before they are optimised.
    module("CPhoneScores", []),
    // Our own C, because the loader's tables are described by headers that Swift cannot read.
    module("CLibraryBindings", []),
    // C over a library that speaks C++ only. Its headers find each other from their own folder, which
    // the link `system` leads to.
    .target(
      name: "CEchoCanceller", dependencies: ["CWebRTCAudioProcessing"],
      path: "Sources/CEchoCanceller", exclude: ["system"],
      cxxSettings: [
        .headerSearchPath("system"), .define("WEBRTC_POSIX"),
        .define("WEBRTC_AUDIO_PROCESSING_ONLY_BUILD"),
      ],
      linkerSettings: [.linkedLibrary("webrtc_audio_processing")]),

    module("SpeechConcurrency", []),
    module("SpeechGrammar", ["SpeechConcurrency"]),
    module("SpeechAudio", ["SpeechConcurrency", "CSndFile", "CSoxr"]),
    module("SpeechCore", ["SpeechConcurrency", "SpeechAudio"]),
    module(
      "SpeechPortAudio", ["SpeechConcurrency", "SpeechAudio", "CPortAudio", "CLibraryBindings"]),
    module("SpeechEcho", ["SpeechConcurrency", "SpeechAudio", "CEchoCanceller"]),
    module(
      "SpeechEspeak", ["SpeechConcurrency", "SpeechCore", "CEspeakNG", "CLibraryBindings"]),
    module("SpeechFlite", ["SpeechConcurrency", "SpeechCore", "CFlite"]),
    module(
      "SpeechPocketSphinx",
      ["SpeechConcurrency", "SpeechCore", "SpeechGrammar", "CPocketSphinx", "CPhoneScores"]),
    module("AIServices", ["SpeechConcurrency", "CCurl", "CGLib"]),
    module("AIServiceTesting", ["SpeechConcurrency", "AIServices"]),
    module("SpeechCloud", ["SpeechConcurrency", "SpeechCore", "AIServices", "CGLib"]),
    module("SpeechActions", ["SpeechConcurrency", "AIServices"]),
    // Its page is part of the program, which may be installed without anything beside it.
    .target(
      name: "SpeechConsole",
      dependencies: ["SpeechConcurrency", "AIServices", "SpeechActions", "CMicrohttpd"],
      path: "Sources/SpeechConsole",
      resources: ["console.html", "console.css", "console.js", "icon.svg"]
        .map { .embedInCode("Assets/\($0)") }),
    module("SpeechConversation", ["SpeechConcurrency", "SpeechCore", "SpeechGrammar"]),
    module(
      "SpeechKit",
      [
        "SpeechConcurrency", "SpeechAudio", "SpeechCore", "SpeechPortAudio", "SpeechEcho",
        "SpeechEspeak", "SpeechFlite", "SpeechPocketSphinx", "SpeechGrammar", "AIServices",
        "SpeechActions", "SpeechCloud", "SpeechConversation",
      ]),
    module("SpeechTesting", ["SpeechKit", "SpeechConcurrency"]),
    // By itself, because programs that use SpeechTesting are not to link the library of the tests.
    module("SpeechExpectations", ["SpeechTesting"]),
    .executableTarget(
      name: "speechkit",
      dependencies: [
        "SpeechKit", "SpeechActions", "SpeechConsole", "SpeechTesting", "SpeechConcurrency",
      ],
      path: "Sources/speechkit"),

    sample("Transcribe"),
    sample("Dictate"),
    sample("Speak"),
    sample("Converse"),
    // What the conversations of the samples are held through.
    .target(
      name: "SampleRoom", dependencies: ["SpeechKit", "SpeechTesting"], path: "Samples/SampleRoom"),
    sample("LightSwitch", ["SpeechKit", "SampleRoom"]),
    sample("KitchenTimer", ["SpeechKit", "SampleRoom"]),
    sample("Chat", ["SpeechKit", "SampleRoom"]),
    sample("SpokenTranslator", ["SpeechKit", "SampleRoom"]),
    // An app with tests of its own, which stand on what everybody can use.
    .target(name: "ThermostatApp", dependencies: ["SpeechKit"], path: "Samples/Thermostat/App"),
    .executableTarget(
      name: "Thermostat", dependencies: ["ThermostatApp", "SpeechKit", "SampleRoom"],
      path: "Samples/Thermostat/Main"),
    .testTarget(
      name: "ThermostatTests",
      dependencies: ["ThermostatApp", "SpeechTesting", "SpeechExpectations"],
      path: "Samples/Thermostat/Tests"),
    sample("GLibLoop", ["SpeechKit", "CGLib"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "SpeechKit", "SpeechActions", "SpeechConcurrency", "SpeechTesting", "AIServiceTesting",
        "TestSupport",
      ],
      path: "Benchmarks"),

    // What several of the tests need.
    .target(
      name: "TestSupport", dependencies: ["SpeechAudio", "SpeechConcurrency"],
      path: "Tests/TestSupport"),
    // A real browser for the tests of pages.
    .target(
      name: "BrowserSupport", dependencies: ["AIServices", "SpeechConcurrency"],
      path: "Tests/BrowserSupport"),
    tests("BrowserSupportTests", ["BrowserSupport", "AIServiceTesting"]),
    tests("SpeechAudioTests", ["SpeechAudio"]),
    tests("SpeechGrammarTests", ["SpeechGrammar", "TestSupport"]),
    tests("SpeechCoreTests", ["SpeechCore", "SpeechConcurrency", "TestSupport"]),
    tests("SpeechEchoTests", ["SpeechEcho", "SpeechTesting", "SpeechConcurrency", "TestSupport"]),
    tests(
      "SpeechPortAudioTests",
      ["SpeechPortAudio", "SpeechKit", "SpeechConcurrency", "TestSupport"]),
    tests(
      "AIServicesTests",
      [
        "AIServices", "AIServiceTesting", "SpeechConcurrency", "SpeechAudio", "TestSupport",
        "ServiceWorker",
      ]),
    // A process that the tests kill, put on a bus of its own, and let share files with others.
    .executableTarget(
      name: "ServiceWorker",
      dependencies: ["AIServices", "SpeechActions", "SpeechCloud", "SpeechAudio"],
      path: "Tests/ServiceWorker"),
    tests(
      "SpeechCloudTests",
      [
        "SpeechCloud", "SpeechCore", "SpeechAudio", "SpeechFlite", "AIServiceTesting",
        "SpeechConcurrency", "SpeechTesting", "TestSupport", "ServiceWorker",
      ]),
    tests(
      "SpeechActionsTests",
      [
        "SpeechActions", "AIServices", "AIServiceTesting", "SpeechConcurrency", "TestSupport",
        "ServiceWorker",
      ]),
    tests(
      "SpeechConsoleTests",
      [
        "SpeechConsole", "SpeechActions", "AIServices", "AIServiceTesting", "BrowserSupport",
        "SpeechConcurrency", "TestSupport",
      ]),
    tests("SpeechEspeakTests", ["SpeechEspeak", "SpeechTesting", "TestSupport"]),
    tests("SpeechFliteTests", ["SpeechFlite", "TestSupport"]),
    tests(
      "SpeechPocketSphinxTests",
      ["SpeechPocketSphinx", "SpeechFlite", "SpeechTesting", "TestSupport"]),
    tests(
      "SpeechTestingTests",
      [
        "SpeechTesting", "SpeechExpectations", "SpeechKit", "SpeechConcurrency", "BrowserSupport",
        "TestSupport",
      ]),
    tests(
      "SpeechConversationTests",
      ["SpeechConversation", "SpeechKit", "SpeechTesting", "SpeechConcurrency", "TestSupport"]),
    tests("SpeechKitTests", ["SpeechKit", "SpeechTesting", "TestSupport", "AIServiceTesting"]),
    tests(
      "SpeechKitCommandTests",
      [
        "speechkit", "SpeechKit", "SpeechTesting", "AIServiceTesting", "SpeechConcurrency",
        "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

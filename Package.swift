// swift-tools-version: 6.2

import PackageDescription

/// A library of the system, found through pkg-config. The Debian package is what `Scripts/install`
/// installs and what the tests run against; the Homebrew formula is the same library's name there,
/// and has not been tried.
func systemLibrary(
  _ name: String, pkgConfig: String? = nil, apt: String, brew: String? = nil
) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt])] + (brew.map { [.brew([$0])] } ?? []))
}

/// The folders of `Sources` and `Tests`. Areas import in one direction:
/// System ← Base ← Services ← Voice ← Actions and Testing ← Programs.
enum Area: String {
  case system = "System"
  case base = "Base"
  case services = "Services"
  case voice = "Voice"
  case actions = "Actions"
  case testing = "Testing"
  case programs = "Programs"
}

/// A module of an area. Assets become part of the code, because programs may be installed without
/// anything beside them.
func module(
  _ area: Area, _ name: String, _ dependencies: [Target.Dependency] = [], assets: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(area.rawValue)/\(name)",
    resources: assets.map { .embedInCode($0) })
}

func tests(_ area: Area, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, path: "Tests/\(area.rawValue)/\(name)")
}

func sample(_ name: String, _ dependencies: [Target.Dependency] = ["SpeechKit"]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: "Samples/\(name)")
}

/// The trait that is enabled by default. It stands for the others, because with two enabled traits
/// the package manager passes their names to the compiler in random order, and every second build
/// compiles everything again.
let everything = "Everything"

/// A dependency that a trait switches on.
func dependency(_ name: String, if trait: String) -> Target.Dependency {
  .target(name: name, condition: .when(traits: [trait, everything]))
}

func cloud(_ names: String...) -> [Target.Dependency] {
  names.map { dependency($0, if: "Cloud") }
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
    .library(name: "SpeechWhisper", targets: ["SpeechWhisper"]),
    .library(name: "SpeechWyoming", targets: ["SpeechWyoming"]),
    .library(name: "SpeechChecking", targets: ["SpeechChecking"]),
    .library(name: "SpeechEspeak", targets: ["SpeechEspeak"]),
    .library(name: "SpeechFlite", targets: ["SpeechFlite"]),
    .library(name: "AIServices", targets: ["AIServices"]),
    .library(name: "LLMSocket", targets: ["LLMSocket"]),
    .library(name: "SpeechCloud", targets: ["SpeechCloud"]),
    .library(name: "SpeechConversation", targets: ["SpeechConversation"]),
    .library(name: "SpeechActions", targets: ["SpeechActions"]),
    .library(name: "SpokenActions", targets: ["SpokenActions"]),
    .library(name: "SpeechDesktop", targets: ["SpeechDesktop"]),
    .library(name: "SpeechConsole", targets: ["SpeechConsole"]),
    // For the tests of those who use it, and of those who write a service of their own.
    .library(name: "SpeechLab", targets: ["SpeechLab"]),
    .library(name: "SpeechTesting", targets: ["SpeechTesting"]),
    .library(name: "SpeechExpectations", targets: ["SpeechExpectations"]),
    .library(name: "AIServiceTesting", targets: ["AIServiceTesting"]),
    .executable(name: "speechkit", targets: ["speechkit"]),
    .executable(name: "speechkit-demo", targets: ["speechkit-demo"]),
  ],
  traits: [
    .trait(
      name: "Espeak",
      description: "Voices of eSpeak NG, which is licensed under the GPL, and its pronunciations"),
    .trait(name: "Cloud", description: "Voices, recognisers and models of services, over libcurl"),
    .trait(name: everything, description: "All of the above, enabled by default"),
    .default(enabledTraits: [everything]),
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

    // Declarations only: the libraries are loaded at run time.
    .systemLibrary(name: "CWhisper", path: "Sources/System/CWhisper"),
    .systemLibrary(name: "CZlib", path: "Sources/System/CZlib"),
    // Our own C, for loops that programs need before they are optimised.
    module(.system, "CPhoneScores"),
    module(.system, "CWordAlignment"),
    // A table of 69 KB, which the C compiler embeds as it is.
    .target(
      name: "CArpabetTrees", path: "Sources/System/CArpabetTrees", exclude: ["english.txt"]),
    // A table of 90 KB, which the C compiler embeds as it is.
    .target(
      name: "CLanguageProfiles", path: "Sources/System/CLanguageProfiles",
      exclude: ["profiles.txt", "words.txt"]),
    // Our own C, because Swift can neither open a stream of its own nor replace `stderr`.
    module(.system, "CMessageFilter"),
    // Our own C, because these take the place of a library's function of the same name.
    module(.system, "CEspeakNullDevice"),
    module(.system, "CRepeatableRandom"),
    module(.system, "CSphinxMemory"),
    // Our own C, because only C can replace functions of the C library.
    module(.system, "CHostCalls"),
    // Our own C, which loads libcurl at its first use. The headers come with libcurl4-openssl-dev.
    .target(
      name: "CCurl", path: "Sources/System/CCurl",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    // C over a library that speaks C++ only. Its headers find each other from their own folder,
    // which the link `system` leads to.
    .target(
      name: "CEchoCanceller", dependencies: ["CWebRTCAudioProcessing"],
      path: "Sources/System/CEchoCanceller", exclude: ["system"],
      cxxSettings: [
        .headerSearchPath("system"), .define("WEBRTC_POSIX"),
        .define("WEBRTC_AUDIO_PROCESSING_ONLY_BUILD"),
      ],
      linkerSettings: [.linkedLibrary("webrtc_audio_processing")]),

    module(.base, "SpeechConcurrency"),
    module(.base, "SpeechText", ["CLanguageProfiles"]),
    module(.base, "SpeechFiles"),
    module(.voice, "SpeechGrammar", ["SpeechText"]),
    module(.voice, "SpeechLanguageModels", ["SpeechText", "SpeechFiles"]),
    module(.voice, "SpeechAudio", ["SpeechConcurrency", "SpeechFiles", "CSndFile", "CSoxr"]),
    module(
      .voice, "SpeechCore", ["SpeechConcurrency", "SpeechText", "SpeechFiles", "SpeechAudio"]),
    module(
      .voice, "SpeechPortAudio",
      ["SpeechConcurrency", "SpeechAudio", "CPortAudio", "CMessageFilter"]),
    module(.voice, "SpeechEcho", ["SpeechConcurrency", "SpeechAudio", "CEchoCanceller"]),
    module(
      .voice, "SpeechEspeak",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechText", "SpeechCore", "CEspeakNG",
        "CEspeakNullDevice", "CArpabetTrees",
      ]),
    module(
      .voice, "SpeechFlite",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechText", "SpeechCore", "CFlite",
        "CRepeatableRandom",
      ]),
    module(
      .voice, "SpeechPocketSphinx",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechFiles", "SpeechText", "SpeechCore",
        "SpeechGrammar", "SpeechLanguageModels",
        "CPocketSphinx", "CSphinxMemory", "CPhoneScores",
      ]),
    module(
      .voice, "SpeechWhisper",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechFiles", "SpeechCore", "SpeechGrammar",
        "CWhisper",
      ]),
    module(
      .voice, "SpeechWyoming",
      ["SpeechAudio", "SpeechConcurrency", "SpeechFiles", "SpeechText", "SpeechCore"]),
    module(
      .voice, "SpeechChecking",
      ["SpeechAudio", "SpeechCore", "SpeechPocketSphinx", "CWordAlignment"]),
    module(.services, "ServiceCredentials", ["SpeechConcurrency", "SpeechFiles", "CGLib"]),
    module(
      .services, "ServiceTransport",
      ["SpeechConcurrency", "SpeechText", "ServiceCredentials", "CCurl"]),
    module(
      .services, "AIServices", ["SpeechConcurrency", "ServiceCredentials", "ServiceTransport"]),
    module(
      .services, "ServiceDownloads",
      ["SpeechConcurrency", "SpeechFiles", "ServiceCredentials", "CZlib"]
        + cloud("ServiceTransport")),
    module(.services, "LLMSocket", ["SpeechConcurrency", "AIServices"]),
    // The laws of protocols, for suites of both test kits.
    module(.testing, "ConformanceTesting", ["SpeechConcurrency"]),
    module(
      .testing, "AIServiceTesting",
      ["SpeechConcurrency", "SpeechFiles", "ConformanceTesting", "AIServices"]),
    module(
      .voice, "SpeechCloud",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechText", "SpeechFiles", "SpeechCore",
        "SpeechConversation",
        "AIServices",
      ]),
    module(
      .actions, "SpeechActions",
      [
        "SpeechConcurrency", "SpeechText", "SpeechFiles", "ServiceCredentials", "AIServices",
        "LLMSocket",
      ]),
    module(
      .actions, "SpeechConsole",
      ["SpeechConcurrency", "AIServices", "SpeechActions", "CMicrohttpd"],
      assets: ["console.html", "console.css", "console.js", "icon.svg"].map { "Assets/\($0)" }),
    module(
      .voice, "SpeechConversation",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechFiles", "SpeechText", "SpeechCore",
        "SpeechGrammar",
      ]),
    module(
      .voice, "SpeechKit",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechFiles", "SpeechCore", "SpeechPortAudio",
        "SpeechEcho", "SpeechFlite", "SpeechPocketSphinx", "SpeechWhisper", "SpeechWyoming",
        "SpeechGrammar",
        "SpeechConversation",
        dependency("SpeechEspeak", if: "Espeak"),
      ] + cloud("SpeechCloud", "AIServices")),
    module(.actions, "SpeechDesktop", ["SpeechConcurrency", "SpeechFiles"]),
    module(
      .actions, "SpokenActions",
      [
        "SpeechConcurrency", "SpeechActions", "SpeechCloud", "SpeechConversation", "SpeechGrammar",
      ]),
    module(
      .testing, "SpeechLab",
      ["SpeechKit", "SpeechConcurrency", "SpeechText", "ConformanceTesting"],
      assets: ["Pages/Assets/report.css"]),
    module(
      .testing, "SpeechTesting",
      [
        "SpeechAudio", "SpeechConversation", "SpeechCore",
        "SpeechLab", "SpeechKit", "SpeechConcurrency", "SpeechText", "ConformanceTesting",
        "CHostCalls",
      ],
      assets: ["scenarios.css", "scenarios.js"].map { "Scenarios/Assets/\($0)" }),
    // By itself, because programs that use SpeechTesting are not to link the library of the tests.
    module(.testing, "SpeechExpectations", ["SpeechTesting"]),
    module(
      .programs, "SpeechCommand",
      [
        "SpeechConcurrency", "SpeechFiles", "SpeechText", "SpeechAudio", "SpeechCore",
        "SpeechPocketSphinx", "SpeechPortAudio",
      ]),
    // Without SpeechKit, which would bring services and conversations into the build of the demo.
    module(
      .programs, "SpeechDemo",
      ["SpeechCommand", "SpeechAudio", "SpeechCore", "SpeechPocketSphinx", "SpeechPortAudio"],
      assets: ["demo.gram"]),
    .executableTarget(
      name: "speechkit-demo",
      dependencies: [
        "SpeechCommand", "SpeechDemo", "SpeechCore", "SpeechFlite", "SpeechPocketSphinx",
        dependency("SpeechEspeak", if: "Espeak"),
      ],
      path: "Sources/Programs/speechkit-demo"),
    .executableTarget(
      name: "speechkit",
      dependencies: [
        "SpeechCommand", "SpeechDemo", "SpeechKit", "SpeechTesting", "SpeechConcurrency",
        "SpeechFiles", "SpeechText", "SpeechDesktop", "SpeechChecking", "ServiceDownloads",
        "SpeechLanguageModels",
      ]
        + cloud(
          "AIServices", "SpeechCloud", "SpeechActions", "SpokenActions", "SpeechConsole"),
      path: "Sources/Programs/speechkit"),

    sample("Transcribe"),
    sample("Dictate"),
    sample("Speak"),
    sample("Converse"),
    // What the conversations of the samples are held through.
    .target(
      name: "SampleRoom", dependencies: ["SpeechKit", "SpeechTesting"], path: "Samples/SampleRoom"),
    sample("LightSwitch", ["SpeechKit", "SampleRoom"]),
    sample("KitchenTimer", ["SpeechKit", "SampleRoom"]),
    // With services, whether SpeechKit has them or not.
    sample("Chat", ["SpeechKit", "SampleRoom", "SpeechCloud", "AIServices"]),
    sample("SpokenTranslator", ["SpeechKit", "SampleRoom", "SpeechCloud", "AIServices"]),
    // An app with tests of its own, which stand on what everybody can use.
    .target(name: "ThermostatApp", dependencies: ["SpeechKit"], path: "Samples/Thermostat/App"),
    .executableTarget(
      name: "Thermostat", dependencies: ["ThermostatApp", "SpeechKit", "SampleRoom"],
      path: "Samples/Thermostat/Main"),
    .testTarget(
      name: "ThermostatTests",
      dependencies: ["ThermostatApp", "SpeechTesting", "SpeechExpectations"],
      path: "Samples/Thermostat/Tests"),
    // A backend each, in one folder and with one line in the catalogue.
    sample("AddAVoice"),
    sample("AddARecogniser"),
    sample("GLibLoop", ["SpeechKit", "CGLib"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "SpeechKit", "SpeechActions", "SpeechConcurrency", "SpeechTesting", "AIServiceTesting",
        "LLMSocket", "TestSupport", "AIServices", "SpeechCloud", "SpeechAudio", "SpeechChecking",
        "SpeechWhisper", "SpeechLanguageModels", "ConformanceTesting",
      ],
      path: "Benchmarks", exclude: ["results.json"]),

    // What several of the tests need.
    .target(
      name: "TestSupport", dependencies: ["SpeechAudio", "SpeechConcurrency"],
      path: "Tests/Support/TestSupport"),
    // A real browser for the tests of pages.
    .target(
      name: "BrowserSupport", dependencies: ["AIServices", "SpeechConcurrency"],
      path: "Tests/Support/BrowserSupport"),
    // The rules that the package itself keeps.
    .testTarget(
      name: "ProjectTests", dependencies: ["TestSupport"], path: "Tests/Project/ProjectTests"),
    .testTarget(
      name: "BrowserSupportTests", dependencies: ["BrowserSupport", "AIServiceTesting"],
      path: "Tests/Support/BrowserSupportTests"),
    tests(.voice, "SpeechAudioTests", ["SpeechConcurrency", "SpeechAudio", "TestSupport"]),
    tests(.base, "SpeechConcurrencyTests", ["SpeechConcurrency", "TestSupport"]),
    tests(.base, "SpeechTextTests", ["SpeechText", "TestSupport"]),
    tests(.base, "SpeechFilesTests", ["SpeechFiles"]),
    tests(.voice, "SpeechLanguageModelsTests", ["SpeechLanguageModels", "TestSupport"]),
    tests(.voice, "SpeechGrammarTests", ["SpeechGrammar", "SpeechText", "TestSupport"]),
    tests(
      .voice, "SpeechCoreTests", ["SpeechAudio", "SpeechCore", "SpeechConcurrency", "TestSupport"]),
    tests(
      .voice, "SpeechEchoTests",
      ["SpeechAudio", "SpeechEcho", "SpeechTesting", "SpeechConcurrency", "TestSupport"]),
    tests(
      .voice, "SpeechPortAudioTests",
      [
        "SpeechAudio", "SpeechPortAudio", "SpeechKit", "SpeechConcurrency", "ConformanceTesting",
        "TestSupport",
      ]),
    // Conditions, timeouts and folders that the tests of services share.
    .target(
      name: "ServiceTestSupport",
      dependencies: ["ServiceTransport", "AIServiceTesting", "TestSupport"],
      path: "Tests/Support/ServiceTestSupport"),
    tests(
      .services, "ServiceCredentialsTests",
      [
        "ServiceCredentials", "TestSupport", "ServiceWorker",
      ]),
    tests(
      .services, "ServiceDownloadsTests",
      [
        "ServiceDownloads", "ServiceTransport", "ServiceCredentials", "AIServiceTesting",
        "SpeechConcurrency", "SpeechFiles", "TestSupport",
      ]),
    tests(
      .services, "ServiceTransportTests",
      [
        "ServiceTransport", "ServiceCredentials", "AIServiceTesting", "SpeechConcurrency",
        "SpeechText",
        "ConformanceTesting", "TestSupport", "ServiceTestSupport",
      ]),
    tests(
      .services, "AIServicesTests",
      [
        "AIServices", "AIServiceTesting", "ConformanceTesting", "SpeechConcurrency",
        "SpeechTesting", "TestSupport", "ServiceTestSupport",
      ]),
    tests(
      .services, "LLMSocketTests",
      [
        "LLMSocket", "AIServices", "AIServiceTesting", "ConformanceTesting", "SpeechConcurrency",
        "TestSupport", "ServiceTestSupport",
      ]),
    // A process that the tests kill, put on a bus of its own, and let share files with others.
    .executableTarget(
      name: "ServiceWorker",
      dependencies: [
        "SpeechConcurrency", "AIServices", "SpeechActions", "SpeechCloud", "SpeechAudio",
      ],
      path: "Tests/Support/ServiceWorker"),
    tests(
      .voice, "SpeechCloudTests",
      [
        "SpeechCloud", "SpeechCore", "SpeechAudio", "SpeechFlite", "AIServices", "AIServiceTesting",
        "SpeechConcurrency", "SpeechTesting", "TestSupport", "ServiceTestSupport", "ServiceWorker",
      ]),
    tests(
      .actions, "SpeechActionsTests",
      [
        "SpeechActions", "AIServices", "AIServiceTesting", "ConformanceTesting",
        "SpeechConcurrency", "SpeechText", "TestSupport", "ServiceTestSupport", "ServiceWorker",
      ]),
    tests(
      .actions, "SpeechConsoleTests",
      [
        "SpeechConsole", "SpeechActions", "AIServices", "AIServiceTesting", "BrowserSupport",
        "SpeechConcurrency", "TestSupport",
      ]),
    tests(
      .actions, "SpeechDesktopTests", ["SpeechDesktop", "SpeechConcurrency", "TestSupport"]),
    tests(
      .actions, "SpokenActionsTests",
      [
        "SpeechCloud", "SpokenActions", "SpeechActions", "SpeechDesktop", "SpeechKit",
        "SpeechTesting",
        "AIServices", "AIServiceTesting", "SpeechConcurrency",
      ]),
    tests(
      .voice, "SpeechEspeakTests",
      [
        "SpeechAudio", "SpeechCore",
        dependency("SpeechEspeak", if: "Espeak"), dependency("CEspeakNullDevice", if: "Espeak"),
        "SpeechTesting", "TestSupport",
      ]),
    tests(
      .voice, "SpeechFliteTests",
      ["SpeechAudio", "SpeechCore", "SpeechFlite", "ConformanceTesting", "TestSupport"]),
    tests(
      .voice, "SpeechPocketSphinxTests",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechCore", "SpeechGrammar", "SpeechLanguageModels",
        "SpeechPocketSphinx", "SpeechFlite", "SpeechTesting", "ConformanceTesting",
        "TestSupport",
      ]),
    tests(
      .voice, "SpeechCheckingTests",
      [
        "SpeechAudio", "SpeechChecking", "SpeechCore", "SpeechFlite", "SpeechPocketSphinx",
        "SpeechWhisper", "TestSupport",
      ]),
    tests(
      .voice, "SpeechWhisperTests",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechCore", "SpeechFlite", "SpeechGrammar",
        "SpeechWhisper", "SpeechTesting", "ConformanceTesting", "TestSupport",
      ]),
    tests(
      .voice, "SpeechWyomingTests",
      [
        "SpeechAudio", "SpeechConcurrency", "SpeechCore", "SpeechFlite", "SpeechWyoming",
        "SpeechTesting", "ConformanceTesting", "TestSupport",
      ]),
    tests(
      .testing, "SpeechLabTests",
      [
        "SpeechLab", "SpeechTesting", "SpeechConcurrency", "BrowserSupport", "TestSupport",
      ]),
    tests(
      .testing, "SpeechTestingTests",
      [
        "ConformanceTesting", "SpeechAudio", "SpeechConversation", "SpeechCore", "SpeechFlite",
        "SpeechPocketSphinx", "SpeechTesting", "SpeechExpectations", "SpeechConcurrency",
        "BrowserSupport", "TestSupport",
      ]),
    tests(
      .voice, "SpeechConversationTests",
      [
        "SpeechAudio", "SpeechCore", "SpeechFlite", "SpeechGrammar", "SpeechPocketSphinx",
        "SpeechConversation", "SpeechTesting", "SpeechConcurrency", "TestSupport",
      ]),
    tests(
      .voice, "SpeechKitTests",
      [
        "AIServices", "SpeechCloud", "SpeechKit", "SpeechWhisper", "SpeechWyoming", "LLMSocket",
        "SpeechChecking", "SpeechLanguageModels", "SpeechTesting", "ConformanceTesting",
        "TestSupport", "AIServiceTesting",
      ]),
    tests(
      .programs, "BackendSampleTests",
      [
        "AddAVoice", "AddARecogniser", "speechkit", "SpeechCommand", "SpeechKit", "SpeechTesting",
        "TestSupport",
      ]),
    tests(
      .programs, "SpeechKitCommandTests",
      [
        "AIServices", "speechkit", "SpeechCommand", "SpeechDemo", "SpeechKit", "SpeechActions",
        "SpeechDesktop", "SpeechTesting", "AIServiceTesting", "ConformanceTesting",
        "SpeechConcurrency", "SpeechLanguageModels", "SpeechText", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The conditions of `#if`.
for target in package.targets where target.type != .system {
  target.swiftSettings = ["Espeak", "Cloud"].map {
    .define($0, .when(traits: [$0, everything]))
  }
}

import Foundation
import SpeechFiles

extension PublishedFileSet {
  /// The library of whisper.cpp, which no Debian package has, and OpenAI's models in its format.
  package static let whisper = PublishedFileSet(
    engine: "whisper", files: [library].compactMap { $0 } + models,
    folder: { file in
      let folder = WhisperPlaces.current.userFolder
      return file.unpackedFolder == nil ? folder?.appending(path: "models") : folder
    },
    installed: { WhisperPlaces.current.installed })

  /// The library of a Python package, which is an archive. The one of upstream's release is built
  /// for a newer system than Debian 12, and its digest is not published.
  ///
  /// The digests are those of the Python Package Index.
  private static var library: PublishedFile? {
    #if os(Linux) && arch(x86_64)
    var file = wheel(
      "fe/e2/0509ccac8e2c89489a1b800aa0e45a79ff3a3c86cb7c0a335c81bbebc89b", "x86_64",
      size: 4_675_850, "973eafb3c27f4bc67f5e13f92491f91cee4ae0dd2d50c1b19c610f34c9ded9d8")
    file.processorFeatures = ["avx2", "fma", "f16c"]
    return file
    #elseif os(Linux) && arch(arm64)
    return wheel(
      "de/90/c3d8f6f76c9ce6b71aa4aca6d6baf063c1f75189b5788546707fa4e5dee5", "aarch64",
      size: 4_179_842, "2f28d7543173082c9d953314ce752588d87a1a2f59a7da440422530480cb4b6a")
    #else
    return nil
    #endif
  }

  private static func wheel(
    _ path: String, _ machine: String, size: Int, _ sha256: String
  ) -> PublishedFile {
    var file = PublishedFile(
      "whisper", title: "whisper.cpp 1.8.5, the library",
      address: "https://files.pythonhosted.org/packages/\(path)/pywhispercpp-1.5.1-cp312-cp312-"
        + "manylinux_2_27_\(machine).manylinux_2_28_\(machine).whl",
      size: size, digest: .sha256(sha256), licence: "MIT; with libgomp, GPL with exception")
    file.unpackedFolder = WhisperPlaces.wheelFolder
    return file
  }

  // The digests of models without quantisation are in models/README.md of whisper.cpp; those of the
  // others are in several catalogues that agree with it and with each other. Measured figures are
  // those of this project's corpus of read speech (35 recordings, one thread), with the same model
  // in the same format, as Scripts/whisper-model converts it. Published word errors are those of
  // the authors (Radford et al. 2022, LibriSpeech test-clean, greedy decoding).
  private static let models: [PublishedFile] = [
    model("tiny.en", 77_704_715, "c78c86eb1a8faa21b369bcd33207cc90d64ae9df", .published(5.6)),
    model("tiny.en-q5_1", 32_166_155, "3fb92ec865cbbc769f08137f22470d6b66e071b6"),
    model(
      "tiny.en-q8_0", 43_550_795, "802d6668e7d411123e672abe4cb6c18f12306abb", .measured(9.0),
      processorTime: .measured(0.10)),
    model("tiny", 77_691_713, "bd577a113a864445d4c299885e0cb97d4ba92b5f"),
    model("tiny-q5_1", 32_152_673, "2827a03e495b1ed3048ef28a6a4620537db4ee51"),
    model("tiny-q8_0", 43_537_433, "19e8118f6652a650569f5a949d962154e01571d9"),
    model("base.en", 147_964_211, "137c40403d78fd54d454da0f9bd998f78703390c", .published(4.2)),
    model("base.en-q5_1", 59_721_011, "d26d7ce5a1b6e57bea5d0431b9c20ae49423c94a"),
    model("base.en-q8_0", 81_781_811, "bb1574182e9b924452bf0cd1510ac034d323e948"),
    model("base", 147_951_465, "465707469ff3a37a2b9b8d8f89f2f99de7299dac"),
    model("base-q5_1", 59_707_625, "a3733eda680ef76256db5fc5dd9de8629e62c5e7"),
    model("base-q8_0", 81_768_585, "7bb89bb49ed6955013b166f1b6a6c04584a20fbe"),
    model("small.en", 487_614_201, "db8a495a91d927739e50b3fc1cc4c6b8f6c2d022", .published(3.1)),
    model("small.en-q5_1", 190_098_681, "20f54878d608f94e4a8ee3ae56016571d47cba34"),
    model("small", 487_601_967, "55356645c2b361a969dfd0ef2c5a50d530afd8d5"),
    model("small-q5_1", 190_085_487, "6fe57ddcfdd1c6b07cdcc73aaf620810ce5fc771"),
    model("small-q8_0", 264_464_607, "bcad8a2083f4e53d648d586b7dbc0cd673d8afad"),
    model("medium.en", 1_533_774_781, "8c30f0e44ce9560643ebd10bbe50cd20eafd3723", .published(3.1)),
    model("medium", 1_533_763_059, "fd9727b6e1217c2f614f9b698455c4ffd82463b4"),
    model("large-v3-turbo", 1_624_555_275, "4af2b29d7ec73d781377bfd1758ca957a807e941"),
    model("large-v3-turbo-q5_0", 574_041_195, "e050f7970618a659205450ad97eb95a18d69c9ee"),
  ]

  private static func model(
    _ name: String, _ size: Int, _ sha1: String, _ wordErrors: PublishedFile.Figure? = nil,
    processorTime: PublishedFile.Figure? = nil
  ) -> PublishedFile {
    var file = PublishedFile(
      "whisper:\(name)", title: "Whisper \(name)",
      address: "https://huggingface.co/ggerganov/whisper.cpp/resolve/main/ggml-\(name).bin",
      size: size, digest: .sha1(sha1), licence: "MIT")
    let isEnglish = name.split(separator: "-").first?.hasSuffix(".en") == true
    file.languages = isEnglish ? "English" : "about 100"
    file.wordErrors = wordErrors
    file.processorTime = processorTime
    return file
  }
}

extension WhisperPlaces {
  /// The library, if it can be loaded, and the models.
  fileprivate var installed: [PublishedFileSet.Installed] {
    let library = (try? WhisperLibrary.load(self)).map {
      PublishedFileSet.Installed(name: "whisper", path: $0.path)
    }
    var models: [PublishedFileSet.Installed] = []
    for folder in modelFolders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".bin") && !name.hasPrefix(".") {
        let bare = name.dropLast(4)
        let model = "whisper:\(bare.hasPrefix("ggml-") ? bare.dropFirst(5) : bare)"
        guard !models.contains(where: { $0.name == model }) else { continue }
        models.append(.init(name: model, path: folder.appending(path: name).path))
      }
    }
    return [library].compactMap { $0 } + models
  }
}

import Foundation
import SpeechCore

/// The model of a language on disk: acoustic model, pronunciation dictionary and language model.
package struct PocketSphinxModel: Sendable, Hashable {
  /// The folder of the model, such as `…/model/en-us`.
  package var folder: URL
  /// The folder with the acoustic model's files.
  package var acousticModel: URL
  /// The pronunciation dictionary.
  package var dictionary: URL
  /// The language model; `nil` if there is none, so that only grammars and key phrases are
  /// possible.
  package var languageModel: URL?

  /// Finds the parts of the model in that folder.
  ///
  /// The acoustic model is the folder itself or one in it that contains an `mdef`; the dictionary
  /// ends in `.dict` or `.dic`, the language model in `.lm.bin`, `.lm`, `.lm.gz` or `.lm.dmp`.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if a part is missing.
  package init(folder: URL) throws {
    let files = FileManager.default
    guard let names = try? files.contentsOfDirectory(atPath: folder.path).sorted() else {
      throw SpeechRecognitionError.recognitionFailed(
        "There is no model in “\(folder.path)”: the folder cannot be read.")
    }
    func holdsDefinition(_ folder: URL) -> Bool {
      files.fileExists(atPath: folder.appendingPathComponent("mdef").path)
    }
    let candidates =
      [folder] + [folder.lastPathComponent, "acoustic-model"].map(folder.appendingPathComponent)
      + names.map(folder.appendingPathComponent)
    guard let acoustic = candidates.first(where: holdsDefinition) else {
      throw SpeechRecognitionError.recognitionFailed(
        "No acoustic model in “\(folder.path)”: no folder there holds a file “mdef”. Install "
          + "\(Self.package), or choose the folder of another model.")
    }
    func first(endingIn endings: [String]) -> URL? {
      for ending in endings {
        let fitting = names.filter { $0.hasSuffix(ending) && !$0.contains("phone") }
        if let name = fitting.first { return folder.appendingPathComponent(name) }
      }
      return nil
    }
    guard let dictionary = first(endingIn: [".dict", ".dic"]) else {
      throw SpeechRecognitionError.recognitionFailed(
        "No dictionary in “\(folder.path)”: there is no file that ends in .dict or .dic. Install "
          + "\(Self.package), or choose the folder of another model.")
    }
    self.folder = folder
    acousticModel = acoustic
    self.dictionary = dictionary
    languageModel = first(endingIn: [".lm.bin", ".lm.dmp", ".lm", ".lm.gz"])
  }

  /// The package of the distribution with the English model.
  static let package = "the package pocketsphinx-en-us"

  /// Finds the model for a language in the first place that has one.
  ///
  /// The places are the given folder; the folders of `SPEECHKIT_MODELS`; `models` in the working
  /// directory and next to the program; the distribution's folder. A place may be a model's folder
  /// or contain one for each language, named like `en-us`. If a region is missing, another one of
  /// its language is used.
  /// - Throws: `SpeechRecognitionError.recognitionFailed` with the language and the places.
  package static func find(for locale: Locale, in folder: URL? = nil) throws -> PocketSphinxModel {
    let places = folder.map { [$0] } ?? PocketSphinxModelPlaces.current.folders
    return try find(for: locale, in: places, isGiven: folder != nil)
  }

  static func find(
    for locale: Locale, in places: [URL], isGiven: Bool = false
  ) throws -> PocketSphinxModel {
    let language = LanguageFolder(locale)
    for place in places {
      for folder in language.candidates(in: place) {
        return try PocketSphinxModel(folder: folder)
      }
    }
    // A folder that the user names is used, whatever its name is.
    if isGiven, let place = places.first { return try PocketSphinxModel(folder: place) }
    let remedy =
      language.language == "en"
      ? "Install \(package), or name the folder of a model."
      : "Put a PocketSphinx model of that language into one of these folders, or name its folder. "
        + "Whisper recognises free speech in most languages: "
        + "`speechkit engines add whisper whisper:base`."
    throw SpeechRecognitionError.recognitionFailed(
      "No model for “\(locale.identifier)”: there is no folder \(language.description) in "
        + places.map(\.path).joined(separator: ", ") + ". " + remedy)
  }
}

/// The folders that contain models, by priority.
struct PocketSphinxModelPlaces {
  var folders: [URL]

  static let distribution = URL(fileURLWithPath: "/usr/share/pocketsphinx/model")

  init(environment: [String: String], workingDirectory: URL, program: URL?) {
    folders = (environment["SPEECHKIT_MODELS"] ?? "").split(separator: ":").map { path in
      path.hasPrefix("/")
        ? URL(fileURLWithPath: String(path))
        : workingDirectory.appendingPathComponent(String(path))
    }
    folders.append(workingDirectory.appendingPathComponent("models"))
    // Next to the program, or to the package that it was built in (.build/<platform>/<mode>).
    var parent = program?.deletingLastPathComponent()
    for _ in 0..<4 {
      guard let place = parent, place.path != "/" else { break }
      folders.append(place.appendingPathComponent("models"))
      parent = place.deletingLastPathComponent()
    }
    folders.append(Self.distribution)
    var seen: Set<String> = []
    folders = folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
  }

  static var current: PocketSphinxModelPlaces {
    PocketSphinxModelPlaces(
      environment: ProcessInfo.processInfo.environment,
      workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
      program: Bundle.main.executableURL)
  }
}

/// The possible names of a language's folder.
struct LanguageFolder: CustomStringConvertible {
  let language: String
  let region: String?

  init(_ locale: Locale) {
    let plain = locale.identifier.prefix { $0 != "@" && $0 != "." }
    let parts = plain.lowercased().split { $0 == "_" || $0 == "-" }.map(String.init)
    language = parts.first ?? ""
    region = parts.dropFirst().last { $0.count == 2 || $0.count == 3 }
  }

  var description: String {
    region.map { "“\(language)-\($0)” or “\(language)-…”" } ?? "“\(language)” or “\(language)-…”"
  }

  /// The folders of this language there: the region's own first, others by name, and the place
  /// itself if its name fits.
  func candidates(in place: URL) -> [URL] {
    guard !language.isEmpty else { return [] }
    let named = ([place.lastPathComponent] + subfolders(of: place)).compactMap {
      name -> (rank: Int, name: String)? in
      let parts = name.lowercased().split { $0 == "_" || $0 == "-" }.map(String.init)
      guard parts.first == language, parts.count <= 2 else { return nil }
      return (parts.count == 2 && parts[1] == region ? 0 : parts.count == 1 ? 1 : 2, name)
    }
    let sorted = named.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map(\.name)
    var folders: [URL] = []
    for name in sorted {
      let inside = place.appendingPathComponent(name)
      if isFolder(inside), !holdsOnlyAcoustics(inside) {
        folders.append(inside)
      } else if name == place.lastPathComponent, isFolder(place) {
        folders.append(place)
      }
    }
    return folders
  }

  private func subfolders(of place: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []).sorted()
  }

  private func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// A model's folder may contain one of the same name with the acoustic model alone.
  private func holdsOnlyAcoustics(_ url: URL) -> Bool {
    let names = subfolders(of: url)
    return names.contains("mdef")
      && !names.contains { $0.hasSuffix(".dict") || $0.hasSuffix(".dic") }
  }
}

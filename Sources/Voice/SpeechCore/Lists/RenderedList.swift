import Foundation
import SpeechAudio
import SpeechFiles

/// The contents of a folder of rendered texts, stored in it.
struct RenderedList: Codable, Equatable {
  var texts: [String]
  var voice: String
  var pathExtension: String

  /// The file of a text. The numbers have as many digits as the last one, at least three.
  func file(_ index: Int, in folder: URL) -> URL {
    let number = String(index + 1)
    let digits = max(3, String(texts.count).count)
    let name = String(repeating: "0", count: digits - number.count) + number
    return folder.appending(path: "\(name).\(pathExtension)")
  }

  /// Makes the folder one of this list: removes the files of other texts, and stores the list.
  ///
  /// - Throws: `AudioError.writeFailed` if the folder cannot be changed.
  func prepare(_ folder: URL) throws {
    let place = folder.appending(path: "list.json")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let earlier = (try? Data(contentsOf: place)).flatMap {
        try? JSONDecoder().decode(RenderedList.self, from: $0)
      }
      guard earlier != self else { return }
      // Before the new list is stored, so that a process that ends in between leaves no file of an
      // earlier text under a number of the new list.
      for file in earlier?.files(unlike: self, in: folder) ?? [] where exists(file) {
        try FileManager.default.removeItem(at: file)
      }
      if earlier == nil,
        let other = texts.indices.map({ file($0, in: folder) }).first(where: exists)
      {
        throw AudioError.writeFailed(
          path: other.path,
          reason: "it is there already and belongs to no list. Choose another folder.")
      }
      try JSONEncoder().encode(self).replace(place.path)
    } catch let failure as SystemFailure {
      throw AudioError.writeFailed(path: place.path, reason: failure.description)
    } catch let error as CocoaError {
      throw AudioError.writeFailed(path: folder.path, reason: error.localizedDescription)
    }
  }

  private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

  /// The files of this list whose contents differ in another one.
  private func files(unlike other: RenderedList, in folder: URL) -> [URL] {
    let isSameVoice = voice == other.voice
    return texts.indices.filter { index in
      !isSameVoice || !other.texts.indices.contains(index) || other.texts[index] != texts[index]
        || other.file(index, in: folder) != file(index, in: folder)
    }.map { file($0, in: folder) }
  }
}

import CWhisper
import Foundation
import SpeechConcurrency
import SpeechCore

/// A loaded model. All decoders of the process that use the file share it.
///
/// Unchecked because the context is not changed once it is loaded: what a decoding changes is in a
/// `WhisperState`.
final class WhisperModel: @unchecked Sendable {
  let library: WhisperLibrary
  let file: WhisperModelFile
  let context: OpaquePointer

  private struct Key: Hashable {
    var library: String
    var path: String
    var changed: Date
  }

  private struct Weak: Sendable {
    weak var model: WhisperModel?
  }

  private static let loaded = Guarded<[Key: Weak]>([:])

  /// Loads a model, unless another decoder has it loaded.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the file is missing, damaged or not
  ///   supported.
  static func load(
    _ url: URL, library: WhisperLibrary
  ) throws(SpeechRecognitionError) -> WhisperModel {
    let url = url.resolvingSymlinksInPath()
    let changed = try? url.resourceValues(forKeys: [.contentModificationDateKey])
      .contentModificationDate
    let key = Key(library: library.path, path: url.path, changed: changed ?? .distantPast)
    return try loaded.withLock { loaded throws(SpeechRecognitionError) in
      if let known = loaded[key]?.model { return known }
      loaded = loaded.filter { $0.value.model != nil }
      let model = try WhisperModel(try WhisperModelFile(url), library: library)
      loaded[key] = Weak(model: model)
      return model
    }
  }

  private init(_ file: WhisperModelFile, library: WhisperLibrary) throws(SpeechRecognitionError) {
    var settings = library.functions.contextDefaults()
    settings.use_gpu = false
    // The times of words come from the attention of chosen heads, which the faster way does not
    // keep.
    settings.flash_attn = false
    settings.dtw_token_timestamps = true
    settings.dtw_aheads_preset = file.alignmentHeads.rawValue
    settings.dtw_n_top = CInt(min(2, file.textLayers))
    WhisperLog.clear()
    guard let context = library.functions.loadModel(file.url.path, settings) else {
      throw .recognitionFailed(
        "whisper.cpp \(library.version) cannot load “\(file.url.path)”\(WhisperLog.reason). "
          + "Choose another model, or download it again.")
    }
    self.library = library
    self.file = file
    self.context = context
  }

  deinit { library.functions.freeModel(context) }
}

/// The attention heads that follow the audio, by the size of the model.
enum AlignmentHeads: CInt {
  case topmost = 1
  case tinyEnglish = 3
  case tiny = 4
  case baseEnglish = 5
  case base = 6
  case smallEnglish = 7
  case small = 8
  case mediumEnglish = 9
  case medium = 10
  case large2 = 12
  case large3 = 13
  case large3Turbo = 14
}

extension WhisperModelFile {
  /// The heads for this model. Models of unusual sizes use their topmost layers.
  var alignmentHeads: AlignmentHeads {
    switch (audioLayers, textLayers) {
    case (4, 4): isMultilingual ? .tiny : .tinyEnglish
    case (6, 6): isMultilingual ? .base : .baseEnglish
    case (12, 12): isMultilingual ? .small : .smallEnglish
    case (24, 24): isMultilingual ? .medium : .mediumEnglish
    case (32, 32): melBands == 128 ? .large3 : .large2
    case (32, 4): .large3Turbo
    default: .topmost
    }
  }
}

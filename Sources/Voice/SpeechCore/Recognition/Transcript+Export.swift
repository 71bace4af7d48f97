import Foundation

/// A text format of transcripts.
package enum TranscriptFormat: String, Sendable, CaseIterable, Codable {
  /// A line per utterance.
  case txt
  /// All properties as JSON.
  case json
  /// SubRip subtitles.
  case srt
  /// WebVTT subtitles.
  case vtt
}

extension Transcript {
  /// The transcript in that format, ending with a line break unless it is empty.
  package func formatted(as format: TranscriptFormat) -> String {
    switch format {
    case .txt: text.isEmpty ? "" : text + "\n"
    case .json: json
    case .srt: subRip
    case .vtt: webVTT
    }
  }

  /// All properties as JSON with sorted keys.
  public var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Encoding cannot fail: these are strings and numbers, and all numbers are accepted.
    guard let data = try? encoder.encode(self) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// The transcript as SubRip subtitles.
  public var subRip: String {
    SubtitleCue.cues(of: self).enumerated().map { index, cue in
      let times = "\(cue.startStamp(",")) --> \(cue.endStamp(","))"
      return "\(index + 1)\n\(times)\n\(cue.lines.joined(separator: "\n"))\n"
    }.joined(separator: "\n")
  }

  /// The transcript as WebVTT subtitles.
  public var webVTT: String {
    let cues = SubtitleCue.cues(of: self).map { cue in
      let lines = cue.lines.map(Self.escapedForWebVTT).joined(separator: "\n")
      return "\n\(cue.startStamp(".")) --> \(cue.endStamp("."))\n\(lines)\n"
    }
    return "WEBVTT\n" + cues.joined()
  }

  private static func escapedForWebVTT(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }
}

import CPocketSphinx
import Foundation

extension PocketSphinxHandle {
  /// The words so far, without fillers; `nil` if there are none.
  var hypothesis: String? {
    call { decoder in skps_hypothesis(decoder).map { String(cString: $0) } } ?? nil
  }

  /// The best path; empty if there is none.
  var segments: [PathSegment] { call(Self.segments) ?? [] }

  private static func segments(of decoder: OpaquePointer) -> [PathSegment] {
    var segments: [PathSegment] = []
    var next = skps_first_segment(decoder)
    while let segment = next {
      var first: Int32 = 0
      var last: Int32 = 0
      var acoustic: Int32 = 0
      var posterior: Int32 = 0
      skps_segment_values(segment, &first, &last, &acoustic, &posterior)
      if let word = skps_segment_word(segment) {
        segments.append(
          PathSegment(
            word: String(cString: word), firstFrame: Int(first), lastFrame: Int(last),
            acousticScore: Int(acoustic), posterior: skps_probability(decoder, posterior)))
      }
      next = skps_next_segment(segment)  // frees itself after the last one
    }
    return segments
  }

  /// Up to `limit` readings with their path scores, the best first, including repetitions.
  func alternatives(limit: Int) -> [(text: String, score: Int)] {
    guard limit > 0 else { return [] }
    return call { Self.alternatives(of: $0, limit: limit) } ?? []
  }

  private static func alternatives(
    of decoder: OpaquePointer, limit: Int
  ) -> [(text: String, score: Int)] {
    var found: [(text: String, score: Int)] = []
    var next = skps_first_alternative(decoder)
    while let list = next {
      var score: Int32 = 0
      if let text = skps_alternative_text(list, &score) {
        found.append((String(cString: text), Int(score)))
      }
      if found.count >= limit {
        skps_free_alternatives(list)
        break
      }
      next = skps_next_alternative(list)  // frees itself after the last one
    }
    return found
  }

  /// The probability of a value of the library's logarithm.
  func probability(ofLog value: Int) -> Double {
    skps_probability(decoder, Int32(clamping: value))
  }
}

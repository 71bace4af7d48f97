import Foundation
import SpeechCore

/// The sizes of a `sendump`: mixture weights of a byte or half a byte each. The format has no
/// checksum, so its length has to be exact.
struct SenoneDump {
  let sizes: MixtureWeightSizes
  /// At the first of the weights.
  private let reader: ModelFileReader
  /// True if a weight is half a byte.
  let isClustered: Bool

  init(
    _ url: URL, senones: Int, streams: Int, densities: Int
  ) throws(SpeechRecognitionError) {
    var reader = try ModelFileReader(url)
    var entries: [String: Int] = [:]
    var isFirst = true
    while true {
      var length = try reader.int32()
      if isFirst, !(1...999).contains(length) {
        length = Int(Int32(truncatingIfNeeded: length).byteSwapped)
        reader.isSwapped = true
      }
      guard (0...999).contains(length) else { throw reader.broken("its header is damaged") }
      if length == 0 {
        guard !isFirst else { throw reader.broken("its header is empty") }
        break
      }
      let text = String(decoding: try reader.bytes(length).dropLast(), as: UTF8.self)
      guard !isFirst || text.hasPrefix("BEGIN FILE FORMAT") else {
        throw reader.broken("it does not begin like a sendump")
      }
      isFirst = false
      let fields = text.split(separator: " ")
      if fields.count == 2, let value = Int(fields[1]) { entries[String(fields[0])] = value }
    }
    let clusters = entries["cluster_count"] ?? 0
    var found = MixtureWeightSizes(
      senones: entries["model_count"] ?? senones, streams: entries["feature_count"] ?? streams,
      densities: entries["mixture_count"] ?? densities)
    var expected: Int
    if clusters == 0 {
      found.densities = try reader.int32()
      found.senones = try reader.int32()
      expected = streams * densities * senones
    } else {
      guard clusters == 15, entries["cluster_bits"] == 4 else {
        throw reader.broken("it has \(clusters) clusters, which is not supported")
      }
      expected = streams * densities * ((senones + 1) / 2) + 16
    }
    sizes = MixtureWeightSizes(senones: senones, streams: streams, densities: densities)
    guard found == sizes else { throw reader.broken("its sizes do not fit the other files") }
    guard reader.left == expected else { throw reader.broken("its length does not fit its sizes") }
    isClustered = clusters > 0
    self.reader = reader
  }

  /// The contents after the header. With a byte each: the weights by stream and density, each for
  /// all senones. With half a byte each: first the sixteen values that they choose from.
  func weights() throws(SpeechRecognitionError) -> Data {
    var reader = reader
    return try reader.bytes(reader.left)
  }
}

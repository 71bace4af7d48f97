/// Text that is safe for a synthesiser, with the position of each scalar in the original text.
package struct SpeakableText: Sendable, Equatable {
  /// A marker between two scalars, such as a mark or a change of pitch.
  package struct Anchor: Sendable, Equatable {
    /// The index of the scalar after the marker.
    package var index: Int
    /// The identifier that the caller gave it.
    package var id: Int
  }

  /// The scalars to speak.
  package private(set) var scalars: [Unicode.Scalar] = []
  /// The range of each scalar in the original text, as offsets of Unicode scalars.
  package private(set) var origins: [Range<Int>] = []
  /// The markers between the scalars, in order.
  package private(set) var anchors: [Anchor] = []

  package init() {}

  /// The number of scalars.
  package var count: Int { scalars.count }

  /// True if there are neither scalars nor anchors.
  package var isEmpty: Bool { scalars.isEmpty && anchors.isEmpty }

  /// True if any scalar is audible.
  package var isSpeakable: Bool { scalars.contains { $0.isSpeakable } }

  /// The text without its anchors.
  package var string: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Appends a scalar that represents a range of the original text.
  package mutating func append(_ scalar: Unicode.Scalar, from origin: Range<Int>) {
    scalars.append(scalar)
    origins.append(origin)
  }

  /// Appends an anchor after the last scalar.
  package mutating func appendAnchor(_ id: Int) {
    anchors.append(Anchor(index: scalars.count, id: id))
  }

  /// Replaces the last scalar by one that also represents the text up to the offset.
  package mutating func replaceLast(with scalar: Unicode.Scalar, upTo offset: Int) {
    guard let last = origins.last else { return }
    scalars[scalars.count - 1] = scalar
    origins[origins.count - 1] = last.lowerBound..<max(last.upperBound, offset)
  }

  /// The range of the original text that the scalars represent.
  package func origin(of range: Range<Int>) -> Range<Int> {
    guard !origins.isEmpty else { return 0..<0 }
    let lower = min(max(range.lowerBound, 0), origins.count - 1)
    let upper = min(max(range.upperBound - 1, lower), origins.count - 1)
    let start = origins[lower].lowerBound
    return start..<max(start, origins[upper].upperBound)
  }

  /// Removes and returns the first scalars, with the anchors in front of and between them. Anchors
  /// at the cut stay in the rest.
  package mutating func removeFirst(_ count: Int) -> SpeakableText {
    var head = SpeakableText()
    head.scalars = Array(scalars.prefix(count))
    head.origins = Array(origins.prefix(count))
    scalars.removeFirst(count)
    origins.removeFirst(count)
    let split = anchors.firstIndex { $0.index >= count } ?? anchors.count
    head.anchors = Array(anchors[..<split])
    anchors.removeFirst(split)
    for index in anchors.indices { anchors[index].index -= count }
    return head
  }
}

extension Unicode.Scalar {
  /// True if voices speak it: letters, digits and symbols with a spoken name.
  package var isSpeakable: Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x23...0x26, 0x2B, 0x3D, 0x40, 0xA3, 0xA5, 0xB0, 0xB1: true
    case 0..<0xAA: false
    default:
      properties.isAlphabetic || properties.numericType != nil
        || properties.generalCategory == .currencySymbol
    }
  }

  /// True for the blanks that a filtered text can hold.
  package var isBlank: Bool { value == 0x20 || value == 0x0A || value == 0x09 }
}

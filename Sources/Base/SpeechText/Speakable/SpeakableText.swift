/// Text that is fit for a synthesiser, with the place of each of its scalars in the text as passed.
package struct SpeakableText: Sendable, Equatable {
  /// Something that stands between two scalars, such as a mark or a change of pitch.
  package struct Anchor: Sendable, Equatable {
    /// The index of the scalar in front of which it stands.
    package var index: Int
    /// What it means to whoever put it there.
    package var id: Int
  }

  /// What is to be spoken.
  package private(set) var scalars: [Unicode.Scalar] = []
  /// Where each of the scalars comes from, as offsets of Unicode scalars.
  package private(set) var origins: [Range<Int>] = []
  /// What stands between the scalars, in order.
  package private(set) var anchors: [Anchor] = []

  package init() {}

  /// How many scalars there are.
  package var count: Int { scalars.count }

  /// Whether there are neither scalars nor anchors.
  package var isEmpty: Bool { scalars.isEmpty && anchors.isEmpty }

  /// Whether there is anything that makes a sound.
  package var isSpeakable: Bool { scalars.contains { $0.isSpeakable } }

  /// The text without its anchors.
  package var string: String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Adds a scalar that stands for that part of the text as passed.
  package mutating func append(_ scalar: Unicode.Scalar, from origin: Range<Int>) {
    scalars.append(scalar)
    origins.append(origin)
  }

  /// Adds an anchor behind what is there.
  package mutating func appendAnchor(_ id: Int) {
    anchors.append(Anchor(index: scalars.count, id: id))
  }

  /// Replaces the last scalar by another that also stands for what extends to that offset.
  package mutating func replaceLast(with scalar: Unicode.Scalar, upTo offset: Int) {
    guard let last = origins.last else { return }
    scalars[scalars.count - 1] = scalar
    origins[origins.count - 1] = last.lowerBound..<max(last.upperBound, offset)
  }

  /// The part of the text as passed that those scalars stand for.
  package func origin(of range: Range<Int>) -> Range<Int> {
    guard !origins.isEmpty else { return 0..<0 }
    let lower = min(max(range.lowerBound, 0), origins.count - 1)
    let upper = min(max(range.upperBound - 1, lower), origins.count - 1)
    let start = origins[lower].lowerBound
    return start..<max(start, origins[upper].upperBound)
  }

  /// Takes away the first scalars, with the anchors in front of and between them. Anchors at the cut
  /// stay behind it.
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
  /// Whether voices make a sound for it: letters, digits and symbols that have a spoken name.
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

  /// Whether it is one of the two blanks that a filtered text has.
  package var isBlank: Bool { value == 0x20 || value == 0x0A || value == 0x09 }
}

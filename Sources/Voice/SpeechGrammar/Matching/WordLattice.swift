/// Written words and all ways to read them, as a graph of places with words between them.
struct WordLattice {
  /// A word that leads from a place to a later one.
  struct Edge {
    var word: Int32
    var target: Int32
  }

  /// The edges that start at each place. Words that consist of punctuation only are left out.
  private(set) var edges: [[Edge]]
  /// The last place.
  let end: Int32
  /// The written word that begins at or after each place, and the one that ends before it.
  private(set) var lower: [Int]
  private(set) var upper: [Int]

  var count: Int { edges.count }

  init(_ written: [String], network: GrammarNetwork, language: GrammarLanguage) {
    var places: [(index: Int, raw: String, plain: String)] = []
    for (index, text) in written.enumerated() {
      let raw = WrittenWord.key(text)
      let plain = WrittenWord.key(WrittenWord.plain(text[...]))
      if !plain.isEmpty { places.append((index, raw, plain)) }
    }
    end = Int32(places.count)
    edges = Array(repeating: [], count: places.count + 1)
    lower = places.map(\.index) + [written.count]
    upper = [0] + places.map { $0.index + 1 }
    let plain = places.map(\.plain)
    for (place, text) in places.enumerated() {
      let bare = text.plain.trimming { $0 == "." || $0 == "'" }
      var seen: Set<[String]> = []
      for spelling in [text.raw, text.plain, bare] where seen.insert([spelling]).inserted {
        add([spelling], from: place, count: 1, network)
      }
      let parts = bare.split { $0 == "-" || $0 == "–" || $0 == "/" }.map(String.init)
      if parts.count > 1, seen.insert(parts).inserted { add(parts, from: place, count: 1, network) }
      for reading in language.spoken.readings(of: plain[place...].prefix(4))
      where reading.count > 0 && place + reading.count <= places.count && !reading.words.isEmpty
        && seen.insert(reading.words).inserted
      {
        add(reading.words, from: place, count: reading.count, network)
      }
    }
  }

  /// Adds an edge for each word, unless the grammar lacks one of them.
  private mutating func add(
    _ words: [String], from place: Int, count: Int, _ network: GrammarNetwork
  ) {
    let numbers = words.map { network.wordNumbers[WrittenWord.key($0)] ?? [] }
    guard !numbers.contains(where: \.isEmpty) else { return }
    var from = place
    for (index, alternatives) in numbers.enumerated() {
      let target: Int
      if index == numbers.count - 1 {
        target = place + count
      } else {
        target = edges.count
        edges.append([])
        lower.append(lower[place])
        upper.append(upper[place + count])
      }
      for number in alternatives { edges[from].append(Edge(word: number, target: Int32(target))) }
      from = target
    }
  }
}

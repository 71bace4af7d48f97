/// Texts for synthesis.
enum ReadingMatter {
  static let sentences = [
    "The harbour was quiet in the morning, and only two boats had left before the sun came up.",
    "She counted the boxes again, wrote the number on a card, and put the card into her pocket.",
    "Nobody had told the driver that the bridge was closed, so he waited there for an hour.",
    "In the second week of October the first letters arrived, and with them came the rain.",
    "Please bring the small lamp from the kitchen, and do not forget the key to the cellar.",
    "The old clock on the station wall was seven minutes late, as it had been for many years.",
    "They walked along the river until the road turned north and the houses became fewer.",
    "A good map shows what is there; a better one shows what you will need.",
    "His sister plays the piano every evening, mostly the same three pieces, and never too loud.",
    "If the weather holds, the harvest will be finished by Thursday, perhaps a day sooner.",
    "The teacher asked a simple question, and for a while nobody in the room had an answer.",
    "There were twelve chairs around the table, but only nine people came to the meeting.",
    "He read the report twice, made some notes in the margin, and sent it back before noon.",
    "Under the snow the garden looked larger, as if somebody had moved the fence in the night.",
    "The engine started at the third attempt, coughed, and then ran as smoothly as before.",
    "We sold the blue bicycle to a student who wanted to ride it to the coast in summer.",
    "Between the two windows hung a picture of a ship that none of them had ever seen.",
    "It takes about forty minutes by train, or an hour and a half if you prefer the bus.",
    "The baker opens at six, the bank at nine, and the museum on the hill not before eleven.",
    "When the lights went out, the children laughed, and their mother looked for a candle.",
  ]

  /// Returns a text of several minutes: the repeated sentences in numbered chapters.
  static func longText(chapters: Int) -> String {
    (1...chapters).map { chapter in
      let start = chapter * 7 % sentences.count
      let turned = sentences[start...] + sentences[..<start]
      return "Chapter \(chapter).\n" + turned.joined(separator: " ")
    }
    .joined(separator: "\n\n")
  }

  /// One very long sentence, the worst case for the time to the first audio.
  static let endlessSentence =
    sentences.map { $0.dropLast().lowercased() }.joined(separator: ", and ") + "."
}

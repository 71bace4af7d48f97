#if Espeak
import Foundation
import SpeechAudio
import SpeechCore
import SpeechEspeak
import TestSupport
import Testing

struct EspeakPositionTests {
  @Test func `words and sentences have their positions in the text`() async throws {
    let text = "Hello there, world. How are you?"
    let spoken = try await speak(text)
    #expect(
      spoken.words.map { Spoken.covered($0, in: text) } == [
        "Hello", "there", "world", "How", "are", "you",
      ])
    let sentences = spoken.positions.filter { $0.kind == .sentence }
    #expect(
      sentences.map { Spoken.covered($0, in: text) } == [
        "Hello there, world.", "How are you?",
      ])
    #expect(sentences.last?.audioOffset == spoken.words[3].audioOffset)
  }

  @Test func `offsets refer to the original text, whatever the filter removed`() async throws {
    let text = "\u{FEFF}One\u{0} 😀😀 cafe\u{301}\u{7}  three\u{200B}four"
    let words = try await speak(text).words.map { Spoken.covered($0, in: text) }
    #expect(words == ["One", "cafe\u{301}", "three", "four"])
  }

  @Test func `words of a long text come in order and cover all of it`() async throws {
    let names = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]
    var random = SplitMix(seed: 11)
    var text = ""
    for index in 0..<400 {
      text += names[random.next(names.count)]
      text += index % 11 == 10 ? ". Then " : index % 5 == 4 ? ", " : " "
    }
    let spoken = try await speak(text)
    #expect(spoken.chunks > 3)
    let starts = spoken.words.map(\.textRange.lowerBound)
    #expect(starts == starts.sorted())
    let times = spoken.words.map(\.audioOffset)
    #expect(times == times.sorted())
    #expect(times.allSatisfy { $0 < spoken.audio.duration })
    let expected = text.split { !$0.isLetter }.map(String.init)
    let heard = spoken.words.flatMap { Spoken.covered($0, in: text).split { !$0.isLetter } }
    #expect(Double(heard.count) > 0.98 * Double(expected.count))
    #expect(Set(heard.map(String.init)) == Set(expected))
  }

  @Test func `words are heard at the times of their positions`() async throws {
    let spoken = try await speak("Go. <break time=\"2s\"/> Stop.", ssml: true)
    let stop = try #require(spoken.words.last)
    let frame = spoken.audio.format.frames(in: stop.audioOffset)
    let before = spoken.audio.slice(frame - 22_050..<frame - 2_205)
    let after = spoken.audio.slice(frame..<frame + 8_000)
    #expect(before.level < -60)
    #expect(after.level > -30)
  }

  @Test func `marks are reported with their names and times`() async throws {
    let text = """
      <speak>One <mark name="first"/>two. <mark name="second"/>Three four.
      <break time="1s"/><mark name="a &amp; b"/> Five. <mark name="end"/></speak>
      """
    let spoken = try await speak(text, ssml: true)
    let marks = spoken.marks(text)
    #expect(marks.map(\.name) == ["first", "second", "a & b", "end"])
    #expect(marks.map(\.time) == marks.map(\.time).sorted())
    let words = spoken.words.map { $0.audioOffset / .seconds(1) }
    #expect(words.count == 5)
    #expect(abs(marks[0].time - words[1]) < 0.06)
    #expect(abs(marks[1].time - words[2]) < 0.06)
    #expect(abs(marks[2].time - words[4]) < 0.06)
    #expect(marks[3].time > words[4])
    #expect(marks[3].time <= spoken.seconds + 0.001)
    let places = spoken.positions.compactMap { position in
      if case .mark = position.kind { position.textRange.lowerBound } else { nil }
    }
    #expect(places.first == 11)
  }

  @Test func `words in SSML have their positions in the document`() async throws {
    let text = """
      <speak>Fish &amp; chips, <prosody rate="150%">fast <emphasis level="strong">food</emphasis>\
      </prosody>. <sub alias="World Wide Web Consortium">W3C</sub> says 1 &lt; 2.</speak>
      """
    let words = try await speak(text, ssml: true).words.map { Spoken.covered($0, in: text) }
    for word in ["Fish", "chips", "fast", "food", "says"] {
      #expect(words.contains(word), "\(words)")
    }
    #expect(words.contains { $0.contains("W3C") })
  }

  @Test func `phonemes are reported on request`() async throws {
    let none = try await speak("Hello.")
    #expect(!none.positions.contains { if case .phoneme = $0.kind { true } else { false } })
    let spoken = try await speak("Hello.", EspeakConfiguration(reportsPhonemes: true))
    let phonemes = spoken.positions.compactMap { position in
      if case .phoneme(let name) = position.kind { name } else { nil }
    }
    #expect(phonemes.joined().contains("l"))
    #expect(phonemes.count >= 4)
  }
}
#endif

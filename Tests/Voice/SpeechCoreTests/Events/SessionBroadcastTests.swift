import SpeechCore
import Testing

@MainActor struct SessionBroadcastTests {
  @Test func `between two sessions a stream waits for the next one`() async {
    let sessions = SessionBroadcast<Int>(keepsUnheard: { _ in true })
    let before = sessions.stream()
    let first = sessions.begin()
    first.send(1)
    sessions.end(first)
    let between = sessions.stream()
    let second = sessions.begin()
    second.send(2)
    sessions.end(second)
    #expect(await before.collected() == [1])
    #expect(await between.collected() == [2])
  }

  @Test func `a session without listeners goes to the first stream`() async {
    let sessions = SessionBroadcast<Int>(keepsUnheard: { _ in true })
    let first = sessions.begin()
    first.send(1)
    sessions.end(first)
    #expect(await sessions.stream().collected() == [1])
    let next = sessions.stream()
    let second = sessions.begin()
    second.send(2)
    sessions.end(second)
    #expect(await next.collected() == [2])
  }

  @Test func `a stream requested after closing delivers the next one`() async {
    let sessions = SessionBroadcast<Int>(keepsUnheard: { _ in true })
    let early = sessions.stream()
    let first = sessions.begin()
    first.send(1)
    sessions.close(first)
    let late = sessions.stream()
    let second = sessions.begin()
    first.send(2)
    second.send(3)
    sessions.end(first)
    sessions.end(second)
    #expect(await early.collected() == [1, 2])
    #expect(await late.collected() == [3])
  }

  @Test func `a closed session without listeners goes to the first stream`() async {
    let sessions = SessionBroadcast<Int>(keepsUnheard: { _ in true })
    let first = sessions.begin()
    first.send(1)
    sessions.close(first)
    let late = sessions.stream()
    let next = sessions.stream()
    first.send(2)
    sessions.end(first)
    let second = sessions.begin()
    second.send(3)
    sessions.end(second)
    #expect(await late.collected() == [1, 2])
    #expect(await next.collected() == [3])
  }
}

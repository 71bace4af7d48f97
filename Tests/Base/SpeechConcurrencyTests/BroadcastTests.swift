import SpeechConcurrency
import TestSupport
import Testing

struct BroadcastTests {
  @Test func `every listener gets every element in order`() async {
    let broadcast = Broadcast<Int>()
    let streams = (0..<5).map { _ in broadcast.stream() }
    for number in 0..<100 { broadcast.send(number) }
    broadcast.finish()
    for stream in streams {
      #expect(await stream.collected() == Array(0..<100))
    }
  }

  @Test func `a listener receives the elements after its request`() async {
    let broadcast = Broadcast<Int>()
    let early = broadcast.stream()
    broadcast.send(1)
    let late = broadcast.stream()
    broadcast.send(2)
    broadcast.finish()
    #expect(await early.collected() == [1, 2])
    #expect(await late.collected() == [2])
  }

  @Test func `a listener that leaves does not affect the others`() async {
    let broadcast = Broadcast<Int>()
    let staying = broadcast.stream()
    var leaving: AsyncStream<Int>? = broadcast.stream()
    broadcast.send(1)
    leaving = nil
    _ = leaving
    broadcast.send(2)
    broadcast.finish()
    #expect(await staying.collected() == [1, 2])
  }

  @Test func `elements sent without listeners are kept for the next one`() async {
    let broadcast = Broadcast<Int>(keepsUnheard: { _ in true })
    var leaving: AsyncStream<Int>? = broadcast.stream()
    broadcast.send(1)
    leaving = nil
    _ = leaving
    broadcast.send(2)
    let next = broadcast.stream()
    broadcast.finish()
    #expect(await next.collected() == [2])
  }

  @Test func `selected elements without a listener are kept for the first one`() async {
    let broadcast = Broadcast<Int>(keepsUnheard: { $0.isMultiple(of: 2) })
    for number in 1...6 { broadcast.send(number) }
    let first = broadcast.stream()
    let second = broadcast.stream()
    broadcast.finish()
    #expect(await first.collected() == [2, 4, 6])
    #expect(await second.collected() == [])
  }

  @Test func `kept elements are bounded, and the oldest is dropped first`() async {
    let broadcast = Broadcast<Int>(unheardLimit: 3, keepsUnheard: { _ in true })
    for number in 1...10 { broadcast.send(number) }
    broadcast.finish()
    #expect(await broadcast.stream().collected() == [8, 9, 10])
  }

  @Test func `after the end nothing is sent, and new streams end at once`() async {
    let broadcast = Broadcast<Int>()
    broadcast.finish()
    broadcast.send(1)
    #expect(await broadcast.stream().collected() == [])
  }

  @Test func `listeners may come and go while others send`() async {
    let broadcast = Broadcast<Int>()
    let watcher = broadcast.stream()
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<4 {
        group.addTask {
          for number in 0..<250 {
            broadcast.send(sender * 1_000 + number)
            if number.isMultiple(of: 10) { _ = broadcast.stream() }
          }
        }
      }
    }
    broadcast.finish()
    let heard = await watcher.collected()
    #expect(heard.count == 1_000)
    for sender in 0..<4 {
      #expect(heard.filter { $0 / 1_000 == sender } == (0..<250).map { sender * 1_000 + $0 })
    }
  }

  @Test func `a released broadcast ends its streams`() async {
    var broadcast: Broadcast<Int>? = Broadcast()
    let stream = broadcast?.stream()
    broadcast?.send(1)
    broadcast = nil
    #expect(await stream?.collected() == [1])
  }

  @Test(arguments: [0, -1]) func `a limit of nothing keeps nothing`(limit: Int) async {
    let broadcast = Broadcast<Int>(unheardLimit: limit, keepsUnheard: { _ in true })
    broadcast.send(1)
    broadcast.send(2)
    let stream = broadcast.stream()
    broadcast.finish()
    #expect(await stream.collected().isEmpty)
  }

  @Test func `a listener may be cancelled while it is being woken`() async {
    for _ in 0..<Endurance.count(full: 1_000, short: 100) {
      let broadcast = Broadcast<Int>()
      let stream = broadcast.stream()
      let heard = ChangeSignal()
      let listener = Task {
        for await _ in stream { heard.notify() }
      }
      let sender = Task.detached {
        while !Task.isCancelled { broadcast.send(0) }
      }
      try? await heard.wait(after: 0)
      listener.cancel()
      await listener.value
      sender.cancel()
      await sender.value
    }
  }
}

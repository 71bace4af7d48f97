import Foundation

/// Evaluates the tags of a slot, as described at `SpokenLanguage`.
struct SlotEvaluator {
  private var numbers: [Int] = []
  private var hour: Int?
  private var isHalfKnown = false
  private var minutes = 0
  private var half: Half?
  private var date = SpokenDate()
  private var seconds = 0

  private enum Half: String { case am, pm, night }

  /// The value of a slot's tags; `nil` if they have none.
  static func value(of type: SlotType, tags: [String]) -> SlotMatch.Value? {
    if case .values = type { return tags.last.map { .choice($0) } }
    var evaluator = SlotEvaluator()
    for tag in tags { evaluator.apply(tag) }
    return evaluator.result(type)
  }

  private mutating func take() -> Int { numbers.popLast() ?? 0 }

  private mutating func apply(_ tag: String) {
    if let number = Int(tag) {
      numbers.append(number)
      return
    }
    switch tag {
    case "+": numbers.append(take() &+ take())
    case "*": numbers.append(take() &* take())
    case "hour": hour = take()
    case "hour24":
      hour = take()
      isHalfKnown = true
    case "minute": minutes = take()
    case "before": minutes = -take()
    case "am", "pm", "night": half = Half(rawValue: tag)
    case "day": date.day = take()
    case "month": date.month = take()
    case "year": date.year = take()
    case "weekday": date.weekday = take()
    case "this", "next", "last": date.direction = SpokenDate.Direction(rawValue: tag)
    case "days": date.distance = DateComponents(day: take())
    // Weeks as days, which every calendar adds in the same way.
    case "weeks": date.distance = DateComponents(day: take() &* 7)
    case "months": date.distance = DateComponents(month: take())
    case "years": date.distance = DateComponents(year: take())
    case "span": seconds &+= take()
    default: break
    }
  }

  private func result(_ type: SlotType) -> SlotMatch.Value? {
    switch type {
    case .values: nil
    case .number: numbers.last.map { .number($0) }
    case .ordinal: numbers.last.map { .ordinal($0) }
    case .time: hour.map { .time(time(hour: $0)) }
    case .date: .date(date)
    case .duration: .duration(.seconds(seconds))
    }
  }

  private func time(hour: Int) -> SpokenTime {
    if isHalfKnown, half == nil {
      let total = ((hour * 60 + minutes) % 1440 + 1440) % 1440
      return SpokenTime(hour: total / 60, minute: total % 60)
    }
    // “A quarter to twelve p.m.” is before midnight: the half of the day is that of the
    // resulting time.
    let total = ((hour % 12 * 60 + minutes) % 720 + 720) % 720
    let (base, minute) = (total / 60, total % 60)
    return switch half {
    case .am: SpokenTime(hour: base, minute: minute)
    case .pm: SpokenTime(hour: base + 12, minute: minute)
    case .night: SpokenTime(hour: base >= 6 ? base + 12 : base, minute: minute)
    case nil: SpokenTime(hour: base == 0 ? 12 : base, minute: minute, isHalfKnown: false)
    }
  }
}

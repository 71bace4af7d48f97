import SpeechConcurrency

/// Performs work outside of the program in responders and other handlers of an app; see
/// `SpeechConcurrency.ExternalWork`.
public typealias ExternalWork = SpeechConcurrency.ExternalWork

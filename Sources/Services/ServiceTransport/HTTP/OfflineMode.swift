import SpeechConcurrency

/// A switch that forbids all network connections of the toolkit; see
/// `SpeechConcurrency.OfflineMode`.
public typealias OfflineMode = SpeechConcurrency.OfflineMode

// Responders and other handlers of an app use it.
@_exported import enum SpeechConcurrency.ExternalWork

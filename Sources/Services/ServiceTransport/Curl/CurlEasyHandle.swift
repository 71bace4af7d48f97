import CCurl
import Foundation

/// The libcurl handle of one transfer, with the memory that must live as long as it does.
///
/// Used on one thread only. Remove the handle from its multi handle before it is deinitialised.
struct CurlEasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headerLines: UnsafeMutablePointer<curl_slist>?

  init() throws(HTTPFailure) {
    guard let pointer = speechkit_curl_easy_init() else {
      throw .unreachable("libcurl has no memory for a transfer")
    }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    _ = speechkit_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    speechkit_curl_easy_cleanup(pointer)
    errorText.deallocate()
    var line = headerLines
    while let current = line {
      // Some lines contain keys.
      if let text = current.pointee.data { explicit_bzero(text, strlen(text)) }
      line = current.pointee.next
    }
    speechkit_curl_slist_free_all(headerLines)
  }

  /// libcurl's message for a failure.
  func text(for code: CURLcode) -> String {
    let said = String(cString: errorText)
    return said.isEmpty ? String(cString: speechkit_curl_easy_strerror(code)) : said
  }

  func set(_ option: CURLoption, _ value: Int) {
    _ = speechkit_curl_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: Bool) {
    set(option, value ? 1 : 0)
  }

  /// Sets a string option. libcurl copies the string.
  func set(_ option: CURLoption, _ value: String?) {
    _ = speechkit_curl_set_string(pointer, option, value)
  }

  /// Sets a pointer, which must stay valid as long as the handle.
  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) {
    _ = speechkit_curl_set_pointer(pointer, option, value)
  }

  func set(_ option: CURLoption, callback: speechkit_curl_data_callback) {
    _ = speechkit_curl_set_data_callback(pointer, option, callback)
  }

  func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    _ = speechkit_curl_get_offset(pointer, info, &value)
    return Int(value)
  }

  /// Adds a header line. libcurl copies it.
  mutating func addHeaderLine(_ line: String) {
    headerLines = speechkit_curl_slist_append(headerLines, line)
  }

  /// Adds the line of a field. Intermediate copies of a secret are zeroed.
  mutating func addHeader(_ field: HTTPHeaders.Field) {
    switch field.content {
    case .plain(let value):
      // Without a value the line must end with a semicolon, or libcurl removes the header.
      addHeaderLine(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
    case .secret(let prefix, let secret):
      secret.withBytes { bytes in
        let start = Array("\(field.name): \(prefix)".utf8)
        let line = UnsafeMutableRawBufferPointer.allocate(
          byteCount: start.count + bytes.count + 1, alignment: 1)
        defer {
          if let base = line.baseAddress { explicit_bzero(base, line.count) }
          line.deallocate()
        }
        line.copyBytes(from: start)
        UnsafeMutableRawBufferPointer(rebasing: line[start.count...]).copyMemory(from: bytes)
        line[line.count - 1] = 0
        headerLines = speechkit_curl_slist_append(
          headerLines, line.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  /// Passes the header lines to libcurl. No line may be added afterwards.
  func useHeaderLines() {
    _ = speechkit_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, headerLines)
  }
}

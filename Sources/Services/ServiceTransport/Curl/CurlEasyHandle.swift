import CCurl
import Foundation

/// One transfer's handle of libcurl, with the memory that has to live as long.
///
/// Belongs to one thread. The handle has to be out of its multi handle before it is let go.
struct CurlEasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headerLines: UnsafeMutablePointer<curl_slist>?

  init() throws(HTTPFailure) {
    guard let pointer = curl_easy_init() else {
      throw .unreachable("libcurl has no memory for a transfer")
    }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    _ = speechkit_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorText.deallocate()
    var line = headerLines
    while let current = line {
      // Some lines hold keys.
      if let text = current.pointee.data { explicit_bzero(text, strlen(text)) }
      line = current.pointee.next
    }
    curl_slist_free_all(headerLines)
  }

  /// What libcurl says about a failure.
  func text(for code: CURLcode) -> String {
    let said = String(cString: errorText)
    return said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
  }

  func set(_ option: CURLoption, _ value: Int) {
    _ = speechkit_curl_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: Bool) {
    set(option, value ? 1 : 0)
  }

  /// Sets a text, of which libcurl makes a copy.
  func set(_ option: CURLoption, _ value: String?) {
    _ = speechkit_curl_set_string(pointer, option, value)
  }

  /// Sets a pointer that has to stay valid as long as the handle.
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

  /// Adds a header line, of which libcurl makes a copy.
  mutating func addHeaderLine(_ line: String) {
    headerLines = curl_slist_append(headerLines, line)
  }

  /// Adds the line of a field. The memory that a secret passes through is zeroed.
  mutating func addHeader(_ field: HTTPHeaders.Field) {
    switch field.content {
    case .plain(let value):
      // Without a value the line has to end with a semicolon, else libcurl takes it for an order to
      // leave the header out.
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
        headerLines = curl_slist_append(
          headerLines, line.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  /// Hands the header lines to libcurl. No line may be added afterwards.
  func useHeaderLines() {
    _ = speechkit_curl_set_pointer(pointer, CURLOPT_HTTPHEADER, headerLines)
  }
}

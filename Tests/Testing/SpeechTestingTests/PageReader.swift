import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Reads a page as XML, which is stricter than any browser.
final class PageReader: NSObject, XMLParserDelegate {
  private(set) var elements: Set<String> = []
  private(set) var ids: Set<String> = []
  private(set) var links: [String] = []
  private(set) var text = ""
  private(set) var regions = 0
  private(set) var namedRegions = 0
  private(set) var problem: String?

  init(_ page: String) throws {
    super.init()
    let parser = XMLParser(data: Data(page.utf8))
    parser.delegate = self
    if !parser.parse() {
      problem = "line \(parser.lineNumber): \(parser.parserError.map { "\($0)" } ?? "")"
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements.insert(name)
    if let id = attributes["id"] { ids.insert(id) }
    if name == "a", let link = attributes["href"] { links.append(link) }
    if attributes["tabindex"] == "0" { regions += 1 }
    if attributes["role"] == "region", attributes["aria-label"]?.isEmpty == false {
      namedRegions += 1
    }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}

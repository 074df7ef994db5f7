import Hummingbird
import Web

extension RouterMethods<ShopContext> {
  /// `GET /report.html`: a page that requests the token and shows the report. The page itself contains no secrets.
  func addReportPage() {
    get("report.html") { _, _ in
      Response(
        status: .ok,
        // No site may show the page in a frame, where it could trick users into typing the token.
        headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "frame-ancestors 'none'"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.report_html)))
    }
  }
}

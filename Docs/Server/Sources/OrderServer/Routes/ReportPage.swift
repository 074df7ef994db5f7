import Hummingbird
import Web

extension RouterMethods<ShopContext> {
  /// `GET /report.html`: a page that asks for the token and shows the report. There is nothing secret in it.
  func addReportPage() {
    get("report.html") { _, _ in
      Response(
        status: .ok,
        // Nobody puts the page into a frame, where those who type the token see another page around it.
        headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "frame-ancestors 'none'"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.report_html)))
    }
  }
}

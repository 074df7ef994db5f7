import Plug

/// The first line: the time, the campaign, and who has won the voucher.
struct Greeting {
  let time: Moment
  let campaign: any Campaign
  let winner: Shopper?
}

extension Greeting: CustomStringConvertible {
  /// `2026-12-24T18:00: last-minute gifts; a voucher for ada`
  var description: String {
    "\(time): \(campaign.slogan)" + (winner.map { "; a voucher for \($0.id)" } ?? "")
  }
}

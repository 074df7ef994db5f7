/// The campaign shown when no other applies.
struct EverydayCampaign: Campaign {
  let slogan = "everything you need"
}

/// A campaign for people who shop after work.
struct EveningCampaign: Campaign {
  let slogan = "ordered tonight, delivered tomorrow"
}

/// A campaign for last-minute shoppers.
struct ChristmasCampaign: Campaign {
  let slogan = "last-minute gifts"
}

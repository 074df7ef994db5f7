/// What is shown when there is nothing else.
struct EverydayCampaign: Campaign {
  let slogan = "everything you need"
}

/// For those who shop after work.
struct EveningCampaign: Campaign {
  let slogan = "ordered tonight, delivered tomorrow"
}

/// For those who are late.
struct ChristmasCampaign: Campaign {
  let slogan = "last-minute gifts"
}

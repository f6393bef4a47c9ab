export { campaignStoreLaws } from "./laws/CampaignStore.laws.js"
export { dispatchStoreLaws } from "./laws/DispatchStore.laws.js"
export { campaign as campaignFixture } from "./laws/Fixtures.js"
export { stopFileLaws } from "./laws/StopFiles.laws.js"

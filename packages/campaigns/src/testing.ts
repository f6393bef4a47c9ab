export { campaignStoreLaws } from "./testing/CampaignStore.laws.js"
export { dispatchStoreLaws } from "./testing/DispatchStore.laws.js"
export { campaign as campaignFixture } from "./testing/Fixtures.js"
export { stopFileLaws } from "./testing/StopFiles.laws.js"

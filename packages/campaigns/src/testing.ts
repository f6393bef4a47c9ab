export { campaignStoreLaws } from "./laws/CampaignStore.laws.js"
export { dispatchStoreLaws } from "./laws/DispatchStore.laws.js"
export { stopFileLaws } from "./laws/StopFiles.laws.js"

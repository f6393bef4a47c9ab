export * from "./CampaignStore.laws.js"
export * from "./DispatchStore.laws.js"
export * from "./StopFiles.laws.js"

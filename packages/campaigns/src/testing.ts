export * from "./campaign/CampaignStore.laws.js"
export * from "./dispatch/DispatchStore.laws.js"
export * from "./enrolment/StopFiles.laws.js"

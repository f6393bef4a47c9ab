export * from "./AttemptStore.laws.js"
export * from "./DeploymentStore.laws.js"

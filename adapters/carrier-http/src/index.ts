export * as CarrierHttp from "./CarrierHttp.js"
export { ConnectionOptions, connectionSettings, type Environment } from "./ConnectionOptions.js"

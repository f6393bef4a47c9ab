export * as CarrierHttp from "./CarrierHttp.js"
export { ConnectionOptions, type Environment, lineSettings } from "./ConnectionOptions.js"

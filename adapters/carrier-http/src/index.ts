export * as CarrierHttp from "./CarrierHttp.js"
export { type Environment, LineOptions, lineSettings } from "./LineOptions.js"

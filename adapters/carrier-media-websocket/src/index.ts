export { makeBrowserLines } from "./browser/BrowserLines.js"
export * as CarrierMediaWebsocket from "./CarrierMediaWebsocket.js"
export { connectionSettings } from "./dialects/Dialects.js"
export { type Environment } from "./settings/ConnectionOptions.js"

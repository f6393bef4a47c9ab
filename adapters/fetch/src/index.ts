export * from "./FetchHandler.js"
export type { FetchServices } from "./Responder.js"

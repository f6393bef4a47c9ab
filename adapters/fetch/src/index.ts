export { type FetchHandler, type FetchHandlerOptions, type FetchServices, toFetchHandler } from "./FetchHandler.js"

export {
  type FetchHandler,
  fetchHandlerOf,
  type FetchHandlerOptions,
  type FetchServices,
  toFetchHandler
} from "./FetchHandler.js"

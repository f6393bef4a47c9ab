export {
  type ExpressHandler,
  expressHandlerOf,
  type ExpressHandlerOptions,
  type ExpressRequest,
  toExpressHandler
} from "./ExpressHandler.js"

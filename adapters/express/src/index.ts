export {
  type ExpressHandler,
  type ExpressHandlerOptions,
  type ExpressRequest,
  toExpressHandler
} from "./ExpressHandler.js"

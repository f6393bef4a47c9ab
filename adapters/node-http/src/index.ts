export type { ListenerOptions, Prefix } from "./Listener.js"
export {
  type NodeHandler,
  type NodeHandlerOptions,
  serve,
  type ServeOptions,
  type Serving,
  toNodeHandler
} from "./NodeServer.js"

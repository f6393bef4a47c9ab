export type { ListenerOptions, Prefix } from "./Listener.js"
export {
  listen,
  type NodeHandler,
  nodeHandlerOf,
  type NodeHandlerOptions,
  type RunningServer,
  serve,
  type ServeOptions,
  toNodeHandler
} from "./NodeServer.js"

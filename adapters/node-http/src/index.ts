export type { ListenerOptions, Prefix } from "./Listener.js"
export {
  type NodeHandler,
  type NodeHandlerOptions,
  type RunningServer,
  serve,
  type ServeOptions,
  toNodeHandler
} from "./NodeServer.js"

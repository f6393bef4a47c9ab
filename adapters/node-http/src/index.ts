export type { Prefix } from "./Listener.js"
export * from "./NodeHandler.js"
export * from "./Serve.js"

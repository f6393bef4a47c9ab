export type { BunServer, BunSocket, BunWebSockets } from "./BunServer.js"
export { type BunHandlers, type RunningServer, serve, type ServeOptions, toBunHandlers } from "./Serve.js"

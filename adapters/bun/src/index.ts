export * from "./BunHandlers.js"
export * from "./BunServer.js"
export * from "./Serve.js"

export * from "./NodeHandler.js"
export * from "./Serve.js"

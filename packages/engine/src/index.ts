export * from "./Engine.js"
export { type EngineOptions, engineServices } from "./EngineServices.js"
export * from "./MemoryParts.js"
export * from "./Recovery.js"

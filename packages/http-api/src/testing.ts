export * from "./TestEngine.js"

export * from "./AudioCodecsWasm.js"

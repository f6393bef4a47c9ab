export * from "./EntropyNode.js"

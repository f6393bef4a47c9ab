export * from "./FilesDisk.js"

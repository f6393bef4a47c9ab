export * from "./ExpressHandler.js"

export * from "./Main.js"

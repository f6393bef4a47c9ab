export * from "./Collections.js"

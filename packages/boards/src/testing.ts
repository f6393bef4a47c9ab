export * from "./boards/BoardStore.laws.js"

export * from "./Outbox.laws.js"

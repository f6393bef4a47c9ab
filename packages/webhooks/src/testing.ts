export * from "./control/RetiredSecrets.laws.js"
export * from "./outbox/Endpoints.laws.js"
export * from "./outbox/Outbox.laws.js"
export * from "./outbox/OutboxFixtures.js"

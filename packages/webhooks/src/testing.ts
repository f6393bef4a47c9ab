export { endpointLaws } from "./testing/Endpoints.laws.js"
export { outboxLaws } from "./testing/Outbox.laws.js"
export { claimAt, enqueueAll, planFor, tryResultOf, webhook } from "./testing/OutboxFixtures.js"
export { retiredSecretLaws } from "./testing/RetiredSecrets.laws.js"

export { retiredSecretLaws } from "./control/RetiredSecrets.laws.js"
export { endpointLaws } from "./outbox/Endpoints.laws.js"
export { outboxLaws } from "./outbox/Outbox.laws.js"
export { claimAt, enqueueAll, planFor, tryResultOf, webhook } from "./outbox/OutboxFixtures.js"

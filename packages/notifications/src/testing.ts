export { mailerLaws } from "./testing/Mailer.laws.js"
export { notificationSamples } from "./testing/NotificationFixtures.js"
export { notificationStoreLaws } from "./testing/NotificationStore.laws.js"

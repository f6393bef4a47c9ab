export * from "./mail/Mailer.laws.js"
export { notificationSamples } from "./schedule/NotificationFixtures.js"
export * from "./schedule/NotificationStore.laws.js"

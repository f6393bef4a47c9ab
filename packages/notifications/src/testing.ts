export { mailerLaws } from "./mail/Mailer.laws.js"
export { notificationSamples } from "./schedule/NotificationFixtures.js"
export { notificationStoreLaws } from "./schedule/NotificationStore.laws.js"

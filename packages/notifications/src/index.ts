export { NotificationDelivery, type NotificationDeliveryOptions } from "./delivery/NotificationDelivery.js"
export {
  type Attachment,
  isMailAddress,
  type Mail,
  type MailContent,
  Mailer,
  MailError,
  type SendMail,
  SentMail
} from "./mail/Mailer.js"
export { maxRulesPerBoard, NotificationRules, type PageOf, type RuleFailure } from "./NotificationRules.js"
export { type Report, ReportSource, StoredReport, type WidgetFailure, type WidgetReport } from "./reports/Report.js"
export { ReportMessage } from "./reports/ReportChat.js"
export { NotificationOptions } from "./rules/ChatAddress.js"
export { Channel, CreateRule, NotificationRule, PatchRule, Rule, RuleId } from "./rules/NotificationRule.js"
export { Sealer } from "./rules/Sealer.js"
export { Scheduler, type SchedulerOptions } from "./schedule/Scheduler.js"
export { type Delivery, DeliveryId, DeliveryItem, DeliveryState, SettledRecipient } from "./store/Delivery.js"
export {
  type ExcludedScopes,
  type ListPage,
  type NotificationRun,
  type OwnedRule,
  RunId,
  RunState
} from "./store/NotificationRun.js"
export { NotificationStore } from "./store/NotificationStore.js"

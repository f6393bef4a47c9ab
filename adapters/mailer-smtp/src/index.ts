export * as MailerSmtp from "./MailerSmtp.js"
export type { BadSmtpOptions } from "./SmtpOptions.js"

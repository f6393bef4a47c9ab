import { MailerSmtp } from "@trunkline/mailer-smtp"
import { type Mail, Mailer } from "@trunkline/notifications"
import { Effect } from "effect"

export const from = { address: "reports@example.in", name: "Trunkline रिपोर्ट" }

/** A report mail with a chart and a file. */
export const sample: Mail = {
  to: "asha@example.in",
  message_id: "<run-1.0@reports.example.in>",
  subject: "[दैनिक] प्रति दिन कॉल, 2026-07-01 09:00 IST",
  text: "नमस्ते",
  html: "<p>नमस्ते <img src=\"cid:chart-1@trunkline\" alt=\"chart\"></p>",
  attachments: [
    {
      filename: "calls.png",
      content: Uint8Array.from([137, 80, 78, 71]),
      contentType: "image/png",
      cid: "chart-1@trunkline"
    },
    { filename: "calls.csv", content: new TextEncoder().encode("day\r\n1\r\n"), contentType: "text/csv; charset=utf-8" }
  ]
}

/** Sends a mail, by default the sample. */
export const send = (mail: Mail = sample) => Effect.flatMap(Mailer, (mailer) => mailer.send(mail))

/** Mailer for a local server, in plain text by default. */
export const mailerAt = (port: number, options: Partial<MailerSmtp.SmtpOptions> = {}) =>
  MailerSmtp.layer({ host: "127.0.0.1", port, from, allowInsecure: true, ...options })

import type { Mail } from "@trunkline/notifications"
import { Effect, type Scope } from "effect"
import type { AddressInfo } from "node:net"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** A mail as the server received it. */
export interface Received {
  /** Sender and recipients of the envelope. */
  readonly from: string
  readonly recipients: ReadonlyArray<string>
  readonly secure: boolean
  readonly user: string | undefined
  readonly raw: string
  readonly mail: Email
}

/** A local mail server. */
export interface MailServer {
  readonly port: number
  /** Oldest first. */
  readonly received: ReadonlyArray<Received>
  /** Number of connections accepted so far. */
  readonly connections: () => number
}

/** An error reply with a status code and text. */
export const smtpReply = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** Starts a server that accepts every mail, without TLS or authentication by default. */
export const mailServer = (options: SMTPServerOptions = {}): Effect.Effect<MailServer, never, Scope.Scope> =>
  Effect.gen(function*() {
    const received: Array<Received> = []
    let connections = 0
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: options.onAuth === undefined ? ["AUTH", "STARTTLS"] : ["STARTTLS"],
      allowInsecureAuth: true,
      closeTimeout: 10,
      onConnect: (_, done) => {
        connections += 1
        done()
      },
      onData: async (stream, session, done) => {
        const parts: Array<Buffer> = []
        for await (const part of stream) parts.push(part)
        const raw = Buffer.concat(parts)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user,
          raw: raw.toString("latin1"),
          mail: await PostalMime.parse(raw)
        })
        done()
      },
      ...options
    })
    // Clients that reject the certificate or disconnect early are expected.
    server.on("error", () => {})
    const port = yield* Effect.acquireRelease(
      Effect.async<number>((resume) => {
        const listener = server.listen(0, "127.0.0.1", () => {
          const { port }: Pick<AddressInfo, "port"> = Object.assign({ port: 0 }, listener.address())
          resume(Effect.succeed(port))
        })
      }),
      () => Effect.async<void>((resume) => server.close(() => resume(Effect.void)))
    )
    return { port, received, connections: () => connections }
  })

const unixLines = (text = "") => text.replaceAll("\r\n", "\n").replace(/\n$/, "")

const bytesOf = (content: ArrayBuffer | Uint8Array | string) =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Converts a received mail back to the form that was sent. */
export const asSent = ({ mail, recipients }: Received): Mail => ({
  to: recipients.join(", "),
  message_id: mail.messageId ?? "",
  subject: mail.subject ?? "",
  text: unixLines(mail.text),
  html: unixLines(mail.html),
  attachments: mail.attachments.map(({ content, contentId, filename, mimeType }) => ({
    filename: filename ?? "",
    content: bytesOf(content),
    contentType: mimeType,
    ...(contentId === undefined ? {} : { cid: contentId.slice(1, -1) })
  }))
})

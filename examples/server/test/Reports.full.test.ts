import Database from "better-sqlite3"
import { once } from "node:events"
import { createServer } from "node:http"
import type { Server } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer } from "smtp-server"
import { afterAll, assert, describe, it } from "vitest"
import { bundled } from "../../../test/programs/Programs.js"
import { json } from "./Requests.js"
import { startServer, temporaryFolder, writeBootstrap } from "./ServerProcess.js"

const command = [await bundled("examples/server/src/main.ts")]
const folder = temporaryFolder()
afterAll(folder.remove)

const base = "/api/analytics/v1/acme/main"
/** Waits until something holds. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(50)
}

const portOf = (server: Server): number => {
  const address = server.address()
  return address === null || typeof address === "string" ? assert.fail("not listening") : address.port
}

/** A mail server that takes everything, apart from what is for an address that it is told to hold up. */
const startMailServer = async () => {
  const mails: Array<Email & { readonly recipient: string }> = []
  const held: { address: string | null; tries: number } = { address: null, tries: 0 }
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, { envelope }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () => {
        const recipient = envelope.rcptTo.map(({ address }) => address).join()
        if (recipient === held.address) return void held.tries++
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push({ ...mail, recipient })
          done()
        })
      })
    }
  })
  server.on("error", () => {})
  server.listen(0, "127.0.0.1")
  await once(server.server, "listening")
  return { mails, held, port: portOf(server.server), close: () => server.close() }
}

const startChat = async () => {
  const posts: Array<{ readonly text: string; readonly blocks: ReadonlyArray<unknown> }> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => body += chunk.toString())
    request.on("end", () => {
      posts.push(JSON.parse(body))
      response.end("ok")
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return { posts, url: `http://127.0.0.1:${portOf(server)}/hook/quiet-token`, close: () => server.close() }
}

/** As if the process that was killed had been gone for longer than it may hold what it worked on. */
const letLeasesPass = (data: string) => {
  const database = new Database(join(data, "trunkline.db"))
  database.exec("update notification_runs set leased_until = 0; update notification_deliveries set leased_until = 0")
  database.close()
}

describe("scheduled reports of a server", () => {
  it("arrive by mail and in chat, and once each when it is killed in the middle of a delivery", async () => {
    const [mail, chat] = [await startMailServer(), await startChat()]
    const bootstrap = writeBootstrap(folder.path, {
      simulator: { speed: 600 },
      mail: {
        kind: "smtp",
        host: "127.0.0.1",
        port: mail.port,
        from: { address: "calls@example.in", name: "Trunkline" },
        allow_insecure: true
      },
      allow_insecure_urls: true,
      allow_private_urls: true
    })
    const args = ["--no-demo", "--data", folder.path, "--bootstrap", bootstrap]
    let server = await startServer(args, { command })
    const send = async <A>(method: string, path: string, body?: unknown) =>
      json<A>(
        await server.request(`${base}${path}`, {
          method,
          headers: { "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) })
        })
      )

    const board = await send<{ readonly id: string }>("POST", "/boards", { name: "कॉल" })
    const widget = await send<{ readonly id: string }>("POST", `/boards/${board.id}/widgets`, {
      name: "Languages",
      sql: "SELECT * FROM (VALUES ('हिन्दी', 3), ('தமிழ்', 2), ('=cmd()', 1)) ORDER BY 2 DESC",
      viz_type: "bar",
      viz_config: { x_axis: "column1", y_axis: ["column2"] }
    })
    const rules = `/boards/${board.id}/notifications`
    mail.held.address = "second@example.in"
    const { rule_id } = await send<{ readonly rule_id: string }>("POST", rules, {
      widget_id: widget.id,
      cron: "0 * * * *",
      name: "Every hour",
      email_recipients: ["first@example.in", "second@example.in"],
      slack_webhook_url: chat.url
    })
    await until(() => mail.held.tries > 0 && mail.mails.length > 0 && chat.posts.length > 0)
    await server.stop("SIGKILL")
    mail.held.address = null
    letLeasesPass(folder.path)
    server = await startServer(args, { command })
    await until(() => mail.mails.some(({ recipient }) => recipient === "second@example.in"))
    await send("PATCH", `${rules}/${rule_id}`, { enabled: false })

    const [first] = mail.mails
    const same = mail.mails.filter((each) => each.subject === first?.subject)
    assert.deepStrictEqual(same.map(({ recipient }) => recipient), ["first@example.in", "second@example.in"])
    assert.match(first?.subject ?? "", /^\[कॉल\] Every hour, \d{4}-\d\d-\d\d \d\d:00 IST$/)
    assert.include(first?.html ?? "", "हिन्दी")
    assert.match(
      first?.text ?? "",
      new RegExp(`^The board: http://127.0.0.1:\\d+/console/#org=acme&workspace=main&board=${board.id}$`, "m")
    )
    assert.notInclude(first?.html ?? "", "sk_test")
    assert.include(first?.text ?? "", "தமிழ்")
    const kinds = (first?.attachments ?? []).map(({ filename, mimeType }) => [mimeType, filename?.split(".").at(-1)])
    assert.deepInclude(kinds, ["image/png", "png"])
    assert.deepInclude(kinds, ["text/csv", "csv"])
    const csv = first?.attachments.find(({ mimeType }) => mimeType === "text/csv")?.content ?? ""
    assert.include(typeof csv === "string" ? csv : new TextDecoder().decode(csv), "'=cmd()")
    assert.deepStrictEqual(first?.to?.map(({ address }) => address), ["first@example.in"])

    const about = chat.posts.map(({ text }) => text.split("\n").slice(0, 2).join())
    assert.strictEqual(new Set(about).size, about.length, "an occurrence was posted twice")

    const { items } = await send<{ readonly items: ReadonlyArray<Readonly<Record<string, unknown>>> }>(
      "GET",
      `${rules}/${rule_id}/deliveries`
    )
    assert.includeMembers(items.map(({ channel }) => channel), ["email", "slack"])
    assert.notInclude(JSON.stringify(items), "example.in")
    assert.notInclude(server.output(), "quiet-token")
    assert.notInclude(server.output(), "first@example.in")
    assert.strictEqual(await server.stop("SIGTERM"), 0)
    mail.close()
    chat.close()
  })
})

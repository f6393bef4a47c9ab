import { assert, describe, it } from "@effect/vitest"
import { webhookHeaders } from "@trunkline/webhooks"
import { Effect } from "effect"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import type { Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const guide = readFileSync(new URL("../docs/webhooks.md", import.meta.url), "utf8")
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** The receiver of the guide, listening; its address. */
const receiver = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "guide-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const [, code = ""] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  writeFileSync(join(folder, "receiver.mjs"), code)
  symlinkSync(fileURLToPath(new URL("../node_modules", import.meta.url)), join(folder, "node_modules"))
  process.env["WEBHOOK_SECRET"] = secret
  const { server }: { readonly server: Server } = yield* Effect.promise(() =>
    import(pathToFileURL(join(folder, "receiver.mjs")).href)
  )
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () => Effect.sync(() => server.close())
  )
  const address = server.address()
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}/` : ""
})

describe("the receiver of the guide to webhooks", () => {
  it.scopedLive("accepts signed webhooks, and rejects others", () =>
    Effect.gen(function*() {
      const url = yield* receiver
      const body = new TextEncoder().encode("{\"attempt_id\":\"a\",\"completion_status\":\"completed\"}")
      const timestamp = Math.floor(Date.now() / 1000)
      const post = (secrets: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          const headers = yield* webhookHeaders(secrets, { id: "att_1", timestamp, body })
          return (yield* Effect.promise(() => fetch(url, { method: "POST", headers, body }))).status
        })
      assert.deepStrictEqual(
        yield* Effect.all([post([secret]), post(["whsec_bmV3", secret]), post(["whsec_bmV3"]), post([])]),
        [204, 204, 401, 401]
      )
    }))
})

import { assert, describe, it } from "@effect/vitest"
import type { Role } from "@trunkline/engine"
import { Effect } from "effect"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { join } from "node:path"
import { createTrunkline } from "trunkline"
import { emptyDatabase, onPostgres } from "../../../test/setup/Postgres.js"
import { call, line, reminder, withFolder } from "./Fixtures.js"
import { temporaryFolder } from "./processes/SharedCampaign.js"

const secret = "a secret that all engines of the test have"

onPostgres(() => {
  describe("processes with roles over HTTP", () => {
    const key = "sk_test_main_aSecretOfTheTestSuite"

    it("answer what their roles allow, and tell who answers the rest", () =>
      withFolder(async (folder) =>
        Effect.runPromise(Effect.scoped(Effect.flatMap(emptyDatabase, (database) =>
          Effect.promise(async () => {
            const start = (name: string, roles: ReadonlyArray<Role>) =>
              createTrunkline({
                data: join(folder, name),
                database,
                roles,
                secret,
                agents: [reminder],
                lines: [line],
                access: {
                  accounts: [{ account_id: "main", plan: "business" }],
                  workspaces: [{ org_id: "main", workspace_id: "main", account_id: "main" }],
                  keys: [{ account_id: "main", key }]
                }
              })
            const api = await start("api", ["api"])
            const rest = await start("rest", ["dial", "webhooks", "boards", "imports"])
            const [apiUrl, restUrl] = [(await api.listen({ port: 0 })).url, (await rest.listen({ port: 0 })).url]
            const ask = async (url: string, init: RequestInit = {}) => {
              const headers = { "x-api-key": key, "api-subscription-key": key, "content-type": "application/json" }
              const response = await fetch(url, { headers, ...init })
              return { status: response.status, body: JSON.stringify(await response.json()) }
            }
            const boards = "/api/analytics/v1/main/main"
            const preview = {
              method: "POST",
              body: JSON.stringify({ sql: "SELECT count(*) AS calls FROM EngagementFactsBoardsView" })
            }
            assert.include((await ask(`${apiUrl}/health`)).body, `"roles":["api"]`)
            assert.include((await ask(`${restUrl}/health`)).body, `"roles":["dial","webhooks","boards","imports"]`)
            const refusal = (roles: string, needed: string) =>
              `This process has only the roles ${roles}. Send the request to a process with the role ${needed}.`
            assert.deepStrictEqual(await ask(`${apiUrl}${boards}/query-preview`, preview), {
              status: 503,
              body: JSON.stringify({ error: { code: "INTERNAL", message: refusal("api", "boards") } })
            })
            assert.include((await ask(`${restUrl}${boards}/query-preview`, preview)).body, `"rows":[[0]]`)
            assert.strictEqual((await ask(`${apiUrl}${boards}/boards`)).status, 200)
            assert.strictEqual((await ask(`${restUrl}${boards}/boards`)).status, 503)
            const campaigns = "/v1/orgs/main/workspaces/main/campaigns"
            assert.strictEqual((await ask(`${apiUrl}${campaigns}`)).status, 200)
            const refused = await ask(`${restUrl}${campaigns}`)
            assert.strictEqual(refused.status, 503)
            assert.include(refused.body, refusal("dial, webhooks, boards, imports", "api"))
            const { ended } = await api.calls.create(call)
            const error: unknown = await ended.catch((error: unknown) => error)
            assert.include(String(error), "use onCallEnded")
            await Promise.all([api.close(), rest.close()])
          }))))
      ))
  })

  describe("SIP lines", () => {
    it.scopedLive("are opened only by processes that dial", () =>
      Effect.gen(function*() {
        const database = yield* emptyDatabase
        const folder = yield* temporaryFolder
        const taken = yield* Effect.acquireRelease(
          Effect.sync(() => createSocket("udp4").bind(0, "127.0.0.1")),
          (socket) => Effect.sync(() => void socket.close())
        )
        yield* Effect.promise(() => once(taken, "listening"))
        const local = { address: "127.0.0.1", port: taken.address().port }
        const start = (roles: ReadonlyArray<Role>) =>
          Effect.promise(async () => {
            const options = { server: "sip:127.0.0.1:5999", local }
            const trunk = { connection_id: "trunk", provider: "sip", phone_numbers: ["+911140000001"], options }
            const data = join(folder, roles.join())
            return createTrunkline({ data, database, roles, secret, lines: [trunk] }).then(
              (trunkline) => trunkline.close(),
              (error: unknown) => String(error)
            )
          })
        assert.isUndefined(yield* start(["api", "webhooks", "boards", "imports"]))
        assert.include(yield* start(["dial"]), "EADDRINUSE")
      }))
  })
})

import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type FetchHandler, toFetchHandler } from "@trunkline/fetch"
import { testKeys } from "@trunkline/http-api/testing"
import { campaignBody, completeForm, csv } from "../Bodies.js"
import { type Json, workspace } from "../Client.js"
import { loadEngine } from "../engines/index.js"
import { livePath } from "../Live.js"
import { probing } from "../Probe.js"

/** Calls a fetch handler without a server. Raw requests, since its subject is how the handler reads and answers them. */
export const directSuite = () =>
  describe("a fetch handler called directly", () => {
    const probe = probing()
    let handler: FetchHandler

    beforeAll(async () => {
      handler = await toFetchHandler(await loadEngine("standard"))
    })
    afterAll(() => handler.close())

    const requestOf = (path: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers)
      headers.set("api-subscription-key", testKeys.main)
      return new Request(`https://engine.example${path}`, { duplex: "half", ...init, headers })
    }

    const post = (path: string, body: FormData | ReadableStream): Promise<Json> =>
      handler(requestOf(path, { method: "POST", body })).then((response) => response.json())

    it("accepts JSON and forms, at once and in chunks, and serves files", async () => {
      const { campaign_id } = await post(`${workspace}/campaigns`, new Blob([JSON.stringify(campaignBody)]).stream())
      const { cohort_id } = await post(`${workspace}/campaigns/${campaign_id}/cohorts/upload`, completeForm())
      const path = `${workspace}/campaigns/${campaign_id}/cohorts/${cohort_id}/files?file_type=cohort`
      const file = await handler(requestOf(path))
      assert.match(file.headers.get("x-request-id") ?? "", /^\d{8}_/)
      assert.strictEqual(await file.text(), csv)
      const head = await handler(requestOf(path, { method: "HEAD" }))
      assert.deepStrictEqual([head.status, head.body], [200, null])
    })

    it("responds to unknown paths and unreadable bodies", async () => {
      const unknown = await handler(requestOf("/api/analytics/v1/acme/main/nowhere"))
      assert.deepStrictEqual(await unknown.json(), { error: { code: "NOT_FOUND", message: "There is no such route" } })
      const broken = await post(`${workspace}/campaigns`, new Blob(["{"]).stream())
      assert.strictEqual(broken.detail[0].type, "json_invalid")
    })

    it("streams events until its caller cancels", async () => {
      const probed = await toFetchHandler(await loadEngine("probed"))
      for (const leave of ["aborts", "cancels"]) {
        const aborting = new AbortController()
        const response = await probed(requestOf(livePath(), { signal: aborting.signal }))
        const reader = response.body?.getReader()
        const decoder = new TextDecoder()
        let text = ""
        while (!text.includes("first")) {
          const piece = await reader?.read()
          assert.strictEqual(piece?.done, false, text)
          text += decoder.decode(piece?.value)
        }
        if (leave === "aborts") aborting.abort()
        else await reader?.cancel()
        await probe.reported("watch over", leave === "aborts" ? 1 : 2)
      }
      await probed.close()
      assert.strictEqual(probe.reports.at(-1), "stopped")
    })
  })

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { boards, campaign, create, deployment, found, widget, withClient, workspace } from "./JsonClient.js"

describe("a record that was read", () => {
  it.scopedLive("can be sent back with PATCH as it is", () =>
    withClient((send) =>
      Effect.gen(function*() {
        const back = (path: string) =>
          Effect.gen(function*() {
            const { body: record } = yield* send("GET", path)
            return yield* send("PATCH", path, record)
          })
        const { campaign_id } = yield* create(send, `${workspace}/campaigns`, campaign)
        const { deployment_id } = yield* create(send, `${workspace}/deployments`, deployment)
        const board = yield* create(send, boards, { name: "Daily" })
        const made = yield* create(send, `${boards}/${board["id"]}/widgets`, widget)
        const rule = yield* create(send, `${boards}/${board["id"]}/notifications`, {
          widget_id: made["id"],
          cron: "0 9 * * *",
          email_recipients: ["a@example.in"]
        })
        const paths = [
          `${workspace}/campaigns/${campaign_id}`,
          `${workspace}/deployments/${deployment_id}`,
          `${boards}/${board["id"]}`,
          `${boards}/${board["id"]}/notifications/${rule["rule_id"]}`
        ]
        for (const path of paths) {
          const answer = yield* back(path)
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        }
        const full = (yield* send("GET", `${boards}/${board["id"]}`)).body as {
          tabs: [{ id: string; widgets: [{ id: string }] }]
          filters: [{ id: string }]
        }
        const [tab] = full.tabs
        const parts: ReadonlyArray<readonly [path: string, record: object]> = [
          [`tabs/${tab.id}`, tab],
          [`widgets/${tab.widgets[0].id}`, tab.widgets[0]],
          [`filters/${full.filters[0].id}`, full.filters[0]]
        ]
        for (const [path, record] of parts) {
          const answer = yield* send("PATCH", `${boards}/${board["id"]}/${path}`, record)
          assert.strictEqual(answer.status, 200, JSON.stringify(answer.body))
        }
      })
    ))

  it.scopedLive("does not change its status", () =>
    withClient((send) =>
      Effect.gen(function*() {
        const { campaign_id } = yield* create(send, `${workspace}/campaigns`, campaign)
        const { deployment_id } = yield* create(send, `${workspace}/deployments`, deployment)
        const changed = [
          [
            `${workspace}/campaigns/${campaign_id}`,
            "status: Is scheduled; an action pauses, resumes or cancels a campaign"
          ],
          [`${workspace}/deployments/${deployment_id}`, "status: Is active; an action pauses or resumes"]
        ] as const
        for (const [path, issue] of changed) {
          assert.deepStrictEqual(found(yield* send("PATCH", path, { status: "paused" })), [422, [issue]])
        }
      })
    ))
})

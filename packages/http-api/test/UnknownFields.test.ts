import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { declaredRoutes } from "../src/api/RouteTable.js"
import { partReader } from "../src/request/RequestValidation.js"
import {
  boards,
  campaign,
  create,
  deployment,
  filter,
  found,
  line,
  widget,
  withClient,
  workspace
} from "./JsonClient.js"

const unknown = (path: string, nearest: string) => `${path}: is not a known field; did you mean ${nearest}?`

const hours = { start_time: "09:00", end_time: "18:00", allowed_days: ["Monday"] }

const transformation = { phone_number: { column_name: "mobile" } }

describe("a body with fields that do not exist", () => {
  it.scopedLive("creates no campaign, and hears of every one of them with its path and the nearest field", () =>
    withClient((send) =>
      Effect.gen(function*() {
        const { allowed_schedule, app_config } = campaign
        const answer = yield* send("POST", `${workspace}/campaigns`, {
          ...campaign,
          descripton: "for the day",
          app_config: {
            ...app_config,
            connection_configs: [{ ...line, wieght: 2 }],
            retry_confg: null,
            retry_config: { max_retry: 1, retry_on: { bussy: { enabled: false }, failed: { enable: true } } },
            webhook_url: "https://example.com/hook",
            phone_rotation: { agents: true }
          },
          allowed_schedule: { ...allowed_schedule, time_zone: "America/New_York" }
        })
        const [status, issues] = found(answer)
        assert.strictEqual(status, 422)
        assert.sameMembers([...issues as ReadonlyArray<string>], [
          unknown("descripton", "description"),
          unknown("app_config.connection_configs.0.wieght", "weight"),
          unknown("app_config.retry_confg", "retry_config"),
          unknown("app_config.retry_config.max_retry", "max_retries"),
          unknown("app_config.retry_config.retry_on.bussy", "busy"),
          unknown("app_config.retry_config.retry_on.failed.enable", "enabled"),
          unknown("app_config.webhook_url", "webhook_config"),
          unknown("app_config.phone_rotation.agents", "agent"),
          unknown("allowed_schedule.time_zone", "timezone")
        ])
        assert.include(JSON.stringify(answer.body["error"]), "time_zone: is not a known field; did you mean timezone?")
        assert.deepInclude((yield* send("GET", `${workspace}/campaigns`)).body, { total: 0 })
      })
    ))

  it.scopedLive("is refused on every route of deployments, campaigns, cohorts, calls and boards", () =>
    withClient((send) =>
      Effect.gen(function*() {
        const { campaign_id } = yield* create(send, `${workspace}/campaigns`, campaign)
        const { deployment_id } = yield* create(send, `${workspace}/deployments`, deployment)
        const board = yield* create(send, boards, { name: "Daily" })
        const { id: widget_id } = yield* create(send, `${boards}/${board["id"]}/widgets`, widget)
        const [{ id: tab_id }] = board["tabs"] as [{ id: string }]
        const at = `${workspace}/campaigns/${campaign_id}`
        const users = [{ user_phone_number: "9876543210", country: "US" }]
        const source = { type: "pre_signed_url", url: "https://files.example/a.csv", uri: "" }
        const us = { phone_number: { column_name: "mobile", country: "US" } }
        const board_at = `${boards}/${board["id"]}`
        const rows: ReadonlyArray<readonly [method: string, path: string, body: object, ...issues: Array<string>]> = [
          ["PATCH", at, { allowed_schedul: {} }, unknown("allowed_schedul", "allowed_schedule")],
          ["PUT", `${at}/status`, { action: "pause", acton: "cancel" }, unknown("acton", "action")],
          ["POST", `${at}/rehearse`, { callee: {} }, unknown("callee", "callees")],
          ["POST", `${at}/webhooks/rotate-secret`, { secrets: "" }, unknown("secrets", "secret")],
          [
            "POST",
            `${at}/webhooks/retry`,
            { attempt_ids: ["01890a5d-ac96-774b-bcce-b302099a8057"], attempts: 1 },
            unknown("attempts", "attempt_ids")
          ],
          [
            "POST",
            `${at}/cohorts/stream`,
            { name: "a", users },
            "users.0.country: is not a known field; known are "
            + "user_phone_number, user_identifier, app_variables, app_overrides"
          ],
          [
            "POST",
            `${at}/cohorts`,
            { name: "a", source, cohort_transformation: transformation, category: "stop_file" },
            unknown("category", "cohort_category"),
            unknown("source.uri", "url")
          ],
          [
            "POST",
            `${at}/cohorts`,
            { name: "a", source: { url: "https://files.example/a.csv" }, cohort_transformation: us },
            unknown("cohort_transformation.phone_number.country", "country_code")
          ],
          [
            "POST",
            `${workspace}/deployments`,
            { ...deployment, webhook_url: "", inbound_config: { ...hours, time_zone: "UTC" } },
            unknown("webhook_url", "webhook_config"),
            unknown("inbound_config.time_zone", "timezone")
          ],
          [
            "PATCH",
            `${workspace}/deployments/${deployment_id}`,
            { inbound_config: { ...hours, time_zone: "UTC" } },
            unknown("inbound_config.time_zone", "timezone")
          ],
          [
            "PUT",
            `${workspace}/deployments/${deployment_id}/status`,
            { action: "pause", now: true },
            "now: is not a known field; known are action"
          ],
          [
            "POST",
            `${workspace}/outbounds`,
            {
              app_config: {
                app_id: "collections",
                app_version: 1,
                connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000001" },
                agent_variable: {},
                app_overrides: { initial_mesage: "" }
              },
              user_config: { user_phone_number: "9876543210", user_id: "a" }
            },
            unknown("app_config.agent_variable", "agent_variables"),
            unknown("app_config.app_overrides.initial_mesage", "initial_bot_message"),
            unknown("user_config.user_id", "user_identifier")
          ],
          [
            "POST",
            `${workspace}/blocked-numbers`,
            { phone_numbers: ["9876543210"], reasons: "" },
            unknown("reasons", "reason")
          ],
          [
            "POST",
            `${workspace}/erasures`,
            { user_identifier: "a", user_identifer: "b" },
            unknown("user_identifer", "user_identifier")
          ],
          ["POST", boards, { name: "b", tags: "x" }, unknown("tags", "tag")],
          ["PATCH", board_at, { nam: "b" }, unknown("nam", "name")],
          ["POST", `${board_at}/tabs`, { name: "b", positon: 1 }, "positon: is not a known field; known are name"],
          ["PATCH", `${board_at}/tabs/${tab_id}`, { positon: 1 }, unknown("positon", "position")],
          [
            "POST",
            `${board_at}/widgets`,
            { ...widget, viz_typ: "bar", filters: [{ ...filter, defaultValue: "today" }] },
            unknown("viz_typ", "viz_type"),
            unknown("filters.0.defaultValue", "default_value")
          ],
          ["PATCH", `${board_at}/widgets/${widget_id}`, { viz_confg: {} }, unknown("viz_confg", "viz_config")],
          ["POST", `${board_at}/widgets/${widget_id}/run`, { filters: {} }, unknown("filters", "filter_values")],
          ["POST", `${board_at}/tabs/${tab_id}/run`, { filter_vales: {} }, unknown("filter_vales", "filter_values")],
          [
            "POST",
            "/api/analytics/v1/acme/main/query-preview",
            { sql: "SELECT 1", limit: 1 },
            unknown("limit", "row_limit")
          ],
          [
            "POST",
            `${board_at}/notifications`,
            { widget_id, cron: "0 9 * * *", email_recipients: ["a@example.in"], slack_url: "" },
            unknown("slack_url", "slack_webhook_url")
          ]
        ]
        for (const [method, path, body, ...issues] of rows) {
          assert.deepStrictEqual(found(yield* send(method, path, body)), [422, issues.sort()], `${method} ${path}`)
        }
      })
    ))

  it("is refused at the first level of every JSON body of the API", () => {
    const bodies = declaredRoutes
      .filter(({ endpoint, info }) =>
        info.contentType === "application/json" && !/^(?:chat|responses)\./.test(endpoint.name)
      )
      .flatMap(({ endpoint: { name, payloadSchema } }) => Option.toArray(payloadSchema).map((body) => ({ name, body })))
    assert.isAbove(bodies.length, 20)
    for (const { body, name } of bodies) {
      const read = partReader("body", body)
      const { issues } = Effect.runSync(Effect.flip(read({ zzz: 1 })))
      const named = issues.filter(({ loc, msg }) => loc.join() === "body,zzz" && msg.startsWith("is not a known field"))
      assert.lengthOf(named, 1, name)
    }
  })

  it.scopedLive("leaves free-form objects open", () =>
    withClient((send) =>
      Effect.gen(function*() {
        const free = { anything: { goes: [1] } }
        yield* create(send, `${workspace}/campaigns`, {
          ...campaign,
          app_config: { ...campaign.app_config, webhook_config: { url: "https://example.com/hook", metadata: free } }
        })
        const { id } = yield* create(send, boards, { name: "Daily" })
        yield* create(send, `${boards}/${id}/widgets`, { ...widget, viz_config: free })
        yield* create(send, `${workspace}/outbounds`, {
          app_config: {
            app_id: "collections",
            app_version: 1,
            connection_config: { connection_id: "sim-1", agent_phone_number: "+911140000001" },
            agent_variables: { anything: true }
          },
          user_config: { user_phone_number: "9876543210" }
        })
      })
    ))
})

describe("a query with parameters that do not exist", () => {
  it.scopedLive("is refused on the routes of workspaces, boards and voices, also by those without parameters", () =>
    withClient((send) =>
      Effect.gen(function*() {
        const none = "page_token: is not a known field; this route has no parameters"
        const rows: ReadonlyArray<readonly [path: string, issue: string | RegExp]> = [
          [`${workspace}/campaigns?limt=3`, unknown("limt", "limit")],
          [`${workspace}/deployments?limt=3&offset=0`, unknown("limt", "limit")],
          [`${workspace}/lines?page_token=zzz`, none],
          [`${workspace}/blocked-numbers?page_token=zzz`, "page_token: is not a known field; known are limit, offset"],
          [`${boards}?limt=3`, unknown("limt", "limit")],
          ["/voices?limt=3", unknown("limt", "limit")]
        ]
        for (const [path, issue] of rows) assert.deepStrictEqual(found(yield* send("GET", path)), [422, [issue]], path)
        assert.strictEqual((yield* send("GET", "/v1/models?limt=3")).status, 200)
      })
    ))
})

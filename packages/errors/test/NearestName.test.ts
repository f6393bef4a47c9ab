import { assert, describe, it } from "@effect/vitest"
import { unknownField } from "@trunkline/errors"

const schedule = ["allowed_start_time", "allowed_end_time", "allowed_days", "timezone"]
const retry = ["max_retries", "retry_interval_minutes", "retry_on"]
const app = ["app_id", "app_version", "attempts_per_second", "connection_configs", "retry_config", "webhook_config"]
const reasons = ["busy", "no_answer", "failed", "short_duration", "provider_error", "internal_error"]

const near: ReadonlyArray<readonly [name: string, known: ReadonlyArray<string>, nearest: string]> = [
  ["time_zone", schedule, "timezone"],
  ["timeZone", schedule, "timezone"],
  ["start_time", schedule, "allowed_start_time"],
  ["days", schedule, "allowed_days"],
  ["max_retry", retry, "max_retries"],
  ["retry_confg", app, "retry_config"],
  ["retry_cofnig", app, "retry_config"],
  ["webhook_url", app, "webhook_config"],
  ["connection_config", app, "connection_configs"],
  ["bussy", reasons, "busy"],
  ["noanswer", reasons, "no_answer"],
  ["country", ["column_name", "required", "country_code"], "country_code"],
  ["filters", ["filter_values", "row_limit"], "filter_values"],
  ["enable", ["enabled"], "enabled"],
  ["concurent", ["max_concurrent_calls", "inbound_share"], "max_concurrent_calls"]
]

describe("a field that does not exist", () => {
  for (const [name, candidates, nearest] of near) {
    it(`suggests ${nearest} for ${name}`, () =>
      assert.deepStrictEqual(unknownField(name, candidates), {
        type: "value_error",
        msg: `is not a known field; did you mean ${nearest}?`
      }))
  }

  it("lists the known fields where none is near and they are few", () => {
    assert.strictEqual(unknownField("zzz", ["name", "tag"]).msg, "is not a known field; known are name, tag")
    assert.strictEqual(unknownField("zzz", []).msg, "is not a known field")
    assert.strictEqual(
      unknownField("zzz", Array.from({ length: 13 }, (_, index) => `a${index}`)).msg,
      "is not a known field"
    )
  })

  it("is not near a name that shares a small part of it, or is a like one of another level", () => {
    const candidates = ["app_version", "committed"]
    assert.strictEqual(
      unknownField("app_overrides", candidates).msg,
      "is not a known field; known are app_version, committed"
    )
    assert.strictEqual(
      unknownField("speech", candidates, ["simulator.speed"]).msg,
      "is not a known field; known are app_version, committed"
    )
  })

  it("is not compared when its name is very long", () =>
    assert.strictEqual(
      unknownField("timezone".repeat(100_000), Array.from({ length: 20 }, () => "timezone")).msg,
      "is not a known field"
    ))
})

import { assert, describe, it } from "@effect/vitest"
import { boardsCodes, mainCodes, retryDelay, retryWithBackoff } from "@trunkline/errors"
import { FastCheck, Option } from "effect"

const anyAdvice = FastCheck.constantFrom(...Object.values({ ...mainCodes, ...boardsCodes }).map(({ advice }) => advice))

describe("retryDelay", () => {
  it("starts at one second, doubles and stops growing at a minute", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 5000].map((tryNumber) => Option.getOrNull(retryDelay(retryWithBackoff, tryNumber))),
      [1, 2, 4, 8, 16, 32, 60, 60, 60]
    )
  })

  it.prop("returns a delay between start and cap exactly if the advice is to retry", [
    anyAdvice,
    FastCheck.integer({ min: 1 })
  ], ([advice, tryNumber]) =>
    Option.match(retryDelay(advice, tryNumber), {
      onNone: () => advice.retry === "never",
      onSome: (delay) => advice.retry !== "never" && delay >= advice.startSeconds && delay <= advice.maxSeconds
    }))

  it("advises retries after 429, 500 and 503, and after 502 and 504 on voice routes only", () => {
    const advised = (retry: string) =>
      Object.entries(mainCodes).filter(([, { advice }]) => advice.retry === retry).map(([code]) => code)
    assert.sameMembers(advised("on_voices"), ["gateway_timeout_error", "billing_service_unavailable_error"])
    assert.sameMembers(advised("always"), [
      "rate_limit_exceeded_error",
      "internal_server_error",
      "model_call_error",
      "model_rate_limit_exceeded_error",
      "model_overloaded"
    ])
  })
})

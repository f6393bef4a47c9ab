import { describe } from "@effect/vitest"
import { LimitsRedis } from "@trunkline/limits-redis"
import { bucketStoreLaws, slotStoreLaws } from "@trunkline/rate-limits/testing"
import { type Duration, Effect, Layer, TestServices } from "effect"
import { freshPrefix, sharedAnswers, sharedUrl } from "../../../test/setup/Redis.js"

const limits = Layer.unwrapScoped(
  Effect.map(
    freshPrefix,
    (prefix) => LimitsRedis.layer({ url: sharedUrl, prefix, lease: false, timeout: "10 seconds" })
  )
)

const waiting = (moment: Duration.DurationInput) => TestServices.provideLive(Effect.sleep(moment))

describe.runIf(sharedAnswers)("Redis on 127.0.0.1:6379, skipped where none answers", () => {
  bucketStoreLaws("Redis", limits, waiting)
  slotStoreLaws("Redis", limits, waiting)
})

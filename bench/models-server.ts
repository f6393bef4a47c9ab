import { testEngineWith } from "@trunkline/http-api/testing"
import { OpenAiModel } from "@trunkline/model-openai"
import { serve } from "@trunkline/node-http"
import { ScriptedModel } from "@trunkline/scripted-model"

/** Memory in bytes, and processor time since the start in microseconds. */
export interface Vitals {
  readonly heapUsed: number
  readonly rss: number
  readonly cpuMicros: number
}

/**
 * Serves the test engine before the upstream that it is given, or with the scripted model. Answers every message with its
 * vitals, and collects garbage before where the message is `collect` and Node.js exposes that.
 */
const [, , upstream = ""] = process.argv
const model = upstream === "" ? ScriptedModel.layer() : OpenAiModel.layer({ baseUrl: upstream })
const { url } = await serve(testEngineWith({ model }), { port: 0 })
process.on("message", (wish) => {
  if (wish === "collect") globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  process.send?.({ heapUsed, rss, cpuMicros: system + user } satisfies Vitals)
})
process.on("disconnect", () => process.exit(0))
process.send?.(url)

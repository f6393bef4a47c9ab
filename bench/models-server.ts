import { testEngineWith } from "@trunkline/http-api/testing"
import { OpenAiModel } from "@trunkline/model-openai"
import { serve } from "@trunkline/node-http"
import { ScriptedModel } from "@trunkline/scripted-model"

/** Memory in bytes, and CPU time since the start in microseconds. */
export interface Vitals {
  readonly heapUsed: number
  readonly rss: number
  readonly cpuMicros: number
}

/**
 * Serves the test engine with the given upstream, or with the scripted model. Answers every message with its vitals; for
 * the message `collect`, it collects garbage first, if Node.js runs with `--expose-gc`.
 */
const [, , upstream = ""] = process.argv
const model = upstream === "" ? ScriptedModel.layer() : OpenAiModel.layer({ baseUrl: upstream })
const { url } = await serve(testEngineWith({ model }), { port: 0 })
process.on("message", (message) => {
  if (message === "collect") globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  process.send?.({ heapUsed, rss, cpuMicros: system + user } satisfies Vitals)
})
process.on("disconnect", () => process.exit(0))
process.send?.(url)

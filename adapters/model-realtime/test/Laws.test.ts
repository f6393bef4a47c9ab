import { modemVoice, soundOf } from "@trunkline/speech"
import { speechServer } from "@trunkline/transcriber-websocket/testing"
import { realtimeModelLaws } from "@trunkline/turn-taking/testing"
import { Effect } from "effect"
import { ModelRealtime } from "../src/index.js"
import { realtimeDouble } from "../src/testing.js"

for (const protocol of ["ga", "beta"] as const) {
  realtimeModelLaws(`OpenAI's protocol in the names of ${protocol}`, {
    model: Effect.gen(function*() {
      const double = realtimeDouble({
        protocol,
        answer: (last) =>
          last.includes("table") ? { tool: { name: "find_table", arguments: {} } } : { text: "You are welcome." }
      })
      const { url } = yield* speechServer(double.protocol)
      return yield* ModelRealtime.make({ url, protocol, allowInsecureUrls: true, allowPrivateUrls: true })
    }),
    say: (text, rate) => Effect.orDie(Effect.provide(soundOf(text, { rate }), modemVoice()))
  })
}

import { modemVoice, soundOf } from "@trunkline/speech"
import { speechServer } from "@trunkline/transcriber-websocket/testing"
import { duplexModelLaws } from "@trunkline/turn-taking/testing"
import { Effect } from "effect"
import { ModelLive } from "../src/index.js"
import { liveDouble } from "../src/testing.js"

duplexModelLaws("OpenAI's Live protocol", {
  model: Effect.gen(function*() {
    const double = liveDouble({
      react: (words) => words.includes("table") ? { delegates: true } : { say: "You are welcome." }
    })
    const { url } = yield* speechServer(double.protocol)
    return yield* ModelLive.make({ url, allowInsecureUrls: true, allowPrivateUrls: true })
  }),
  say: (text, rate) => Effect.orDie(Effect.provide(soundOf(text, { rate }), modemVoice()))
})

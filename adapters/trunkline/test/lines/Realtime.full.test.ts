import { assert, describe, it } from "@effect/vitest"
import { twilioAccount, twilioDouble } from "@trunkline/carrier-media-websocket/testing"
import { liveDouble, realtimeDouble } from "@trunkline/model-realtime/testing"
import { speechServer } from "@trunkline/transcriber-websocket/testing"
import { Effect } from "effect"
import { openaiLive, openaiRealtime } from "trunkline"
import { untilOnTime } from "../../../../test/setup/OnTime.js"
import type { CallEnded } from "../../src/generated/Resources.js"
import { hostedEngine, type HostedProvider, takeTurns } from "./HostedWorld.js"

const twilio: HostedProvider = {
  double: twilioDouble,
  options: { account_sid: twilioAccount.sid, auth_token_env: "TWILIO_TOKEN" },
  environment: { TWILIO_TOKEN: twilioAccount.token }
}

describe("a call on a real line with a realtime model", () => {
  it.scopedLive("has five turns without a transcriber, a language model or a voice, and its costs", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        let turns = 0
        const realtime = realtimeDouble({
          answer: () => {
            turns += 1
            return turns < 5
              ? { text: `Reply ${turns}.` }
              : { text: "Goodbye.", tool: { name: "end_call", arguments: {} } }
          }
        })
        const server = yield* speechServer(realtime.protocol)
        const { double, trunkline } = yield* hostedEngine(twilio, {}, {
          realtime: openaiRealtime({ url: server.url, apiKey: "sk-secret", voice: "marin" })
        })
        const call = yield* Effect.promise(() => trunkline.calls.create({ agent: "desk", to: "+919876543210" }))
        yield* Effect.fork(takeTurns(double))
        const ended: CallEnded = yield* Effect.promise(() => call.ended)
        assert.deepStrictEqual((ended.transcript ?? []).map(({ en_text, role }) => `${role}: ${en_text}`), [
          "agent: Hello.",
          ...[1, 2, 3, 4].flatMap((turn) => [`user: word ${turn}`, `agent: Reply ${turn}.`]),
          "user: word 5",
          "agent: Goodbye."
        ])
        assert.deepStrictEqual(realtime.problems, [])
        const [begin] = realtime.events[0] ?? []
        assert.include(JSON.stringify(begin), `"format":{"type":"audio/pcmu"}`)
        const lines = (ended.costs?.lines ?? []).map(({ model, quantity, unit }) => `${model} ${unit} ${quantity}`)
        assert.includeMembers(lines, [
          "gpt-realtime-2.1 audio_output_token 240",
          "gpt-4o-mini-transcribe audio_input_token 50"
        ])
      })
    ))

  it.scopedLive("has a voice that talks by itself, and asks the agent", (context) =>
    untilOnTime(
      context,
      Effect.gen(function*() {
        const live = liveDouble({
          react: (words) => words.endsWith("1") ? { say: "Hello to you." } : { delegates: true }
        })
        const server = yield* speechServer(live.protocol)
        const { double, trunkline } = yield* hostedEngine(twilio, {}, {
          realtime: openaiLive({ url: server.url, apiKey: "sk-secret", voice: "marin" })
        })
        const call = yield* Effect.promise(() => trunkline.calls.create({ agent: "desk", to: "+919876543210" }))
        yield* Effect.fork(takeTurns(double))
        const ended: CallEnded = yield* Effect.promise(() => call.ended)
        const turns = (ended.transcript ?? []).map(({ en_text, role }) => `${role}: ${en_text}`)
        assert.deepStrictEqual(turns.slice(0, 4), [
          "agent: Hello.",
          "user: word 1",
          "agent: Hello to you.",
          "user: word 2"
        ])
        assert.match(turns[4] ?? "", /^agent: ./u)
        assert.deepStrictEqual(live.problems, [])
        const [begin] = live.events[0] ?? []
        assert.include(JSON.stringify(begin), `"format":{"type":"audio/pcmu","rate":8000}`)
        const lines = (ended.costs?.lines ?? []).map(({ model, unit }) => `${model} ${unit}`)
        assert.include(lines, "gpt-live-1.1 second")
      })
    ))
})

import { assert, describe } from "@effect/vitest"
import { BusinessTime, findOne } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { modemTranscriber, modemVoice } from "@trunkline/speech"
import {
  AttemptStore,
  type BrowserLine,
  BrowserLines,
  type CallProgress,
  type FrameSocket,
  makeSimulatedAudioLine,
  NotAnswered
} from "@trunkline/telephony"
import { Effect, Layer, Option, Schema, Scope, Struct } from "effect"
import { CreateBrowserCall, Engine, type MemoryOptions, memoryParts } from "../../src/index.js"
import { agents, connections, mondayMorning, scope } from "../Fixtures.js"

const socket: FrameSocket = { post: () => {}, waitingBytes: () => 0, hear: () => {}, close: () => {} }

/** The protocol without a wire: clients that are ready at once, and hang up after ten seconds. */
const makeClients = () => {
  const refusals: Array<string> = []
  const told: Array<CallProgress> = []
  let answers = true
  const lines: BrowserLines.Service = {
    open: () =>
      Effect.gen(function*() {
        if (!answers) return yield* new NotAnswered({ status: "no_answer", reason: "browser: the client left" })
        const around = yield* Scope.make()
        const { caller, line } = yield* Scope.extend(makeSimulatedAudioLine({ rate: 16_000 }), around)
        yield* Effect.forkDaemon(Effect.delay(caller.hangUp, "10 seconds"))
        return { line, tell: (progress) => void told.push(progress) } satisfies BrowserLine
      }),
    refuse: (_, why) => Effect.sync(() => void refusals.push(why))
  }
  return { lines, refusals, told, leave: () => void (answers = false) }
}

const body = (fields: object = {}) => Schema.decodeUnknownSync(CreateBrowserCall)({ app_id: "collections", ...fields })

type Clients = ReturnType<typeof makeClients>

const parts: Partial<MemoryOptions> = { synthesizer: modemVoice(), transcriber: modemTranscriber }

const test = (
  name: string,
  check: (clients: Clients) => Effect.Effect<void, unknown, Engine | AttemptStore>,
  options: Partial<MemoryOptions> = parts
) =>
  virtualTest(name, () => {
    const clients = makeClients()
    const memory = memoryParts({ agents, connections, seed: "browser", ...options })
    const engine = Engine.layer(options).pipe(
      Layer.provideMerge(memory),
      Layer.provide(Layer.succeed(BrowserLines, clients.lines))
    )
    return Effect.provide(check(clients), engine)
  }, { start: mondayMorning })

const open = (token: string, workspace_id = "main", origin: string | null = null) =>
  Effect.flatMap(
    Engine,
    ({ browserCalls }) => browserCalls.open({ org_id: "acme", workspace_id, token, origin }, Effect.succeed(socket))
  )

const create = (fields: object = {}) =>
  Effect.flatMap(Engine, ({ browserCalls }) => browserCalls.create(scope, body(fields)))

describe("a call from a browser", () => {
  test("is an inbound call in the record, with its person, agent and variables", ({ told }) =>
    Effect.gen(function*() {
      const { attempt_id, token, url } = yield* create({
        agent_variables: { plan: "gold" },
        user_identifier: "customer-17",
        app_overrides: { initial_bot_message: "Welcome back." }
      })
      assert.strictEqual(url, `/v1/orgs/acme/workspaces/main/calls/talk?token=${token}`)
      assert.notInclude(token, "gold")
      yield* open(token)
      const attempt = Option.getOrThrow(yield* findOne((yield* AttemptStore).findMany, attempt_id))
      const expected = {
        kind: "inbound",
        app_version: 1,
        channel_provider: "browser",
        channel_protocol: "websocket",
        connection_id: "browser",
        deployment_id: null,
        user_identifier: "customer-17",
        user_phone_number: "+99900000001",
        agent_variables: { plan: "gold" }
      } as const
      assert.deepStrictEqual<object>(Struct.pick(attempt, ...Struct.keys(expected)), expected)
      assert.strictEqual(attempt.result?.interaction?.ended_by, "user")
      const words = told.flatMap((one) => one._tag === "Words" && one.isFinal ? [one.text] : [])
      assert.include(words, "Welcome back.")
      const states = told.flatMap((one) => one._tag === "State" ? [one.state] : [])
      assert.deepStrictEqual(states.slice(0, 2), ["speaking", "listening"])
    }))

  test("needs its token within a minute, once, in its workspace", ({ refusals }) =>
    Effect.gen(function*() {
      const late = yield* create()
      yield* Effect.sleep("60 seconds")
      yield* open(late.token)
      const { token } = yield* create()
      yield* open(token, "side")
      yield* open("v1.guess")
      yield* open("x".repeat(100_000))
      yield* open(token)
      yield* open(token)
      assert.deepStrictEqual(refusals, [
        "token_expired",
        "token_invalid",
        "token_invalid",
        "token_invalid",
        "token_used"
      ])
    }))

  test("whose client leaves before it can hear was not answered", ({ leave }) =>
    Effect.gen(function*() {
      leave()
      const { attempt_id, token } = yield* create()
      yield* open(token)
      const { result } = Option.getOrThrow(yield* findOne((yield* AttemptStore).findMany, attempt_id))
      assert.deepInclude(result, { connectivity_status: "no_answer", failure_reason: "browser: the client left" })
    }))

  test("is turned away while the workspace has as many as it may", ({ refusals }) =>
    Effect.gen(function*() {
      const tokens = [yield* create(), yield* create(), yield* create()]
      yield* Effect.forEach(tokens, ({ token }) => open(token), { concurrency: "unbounded" })
      assert.deepStrictEqual(refusals, ["busy"])
      const { token } = yield* create()
      yield* open(token)
      assert.strictEqual(refusals.length, 1)
    }), { ...parts, browserCalls: { max_concurrent: 2 } })

  test(
    "may be limited to the pages of some sites, and has the address of its server",
    ({ refusals }) =>
      Effect.gen(function*() {
        const { token, url } = yield* create()
        assert.match(url, /^wss:\/\/voice\.example\.com\/api\/v1\/orgs/)
        yield* open(token, "main", "https://evil.example")
        yield* open(token, "main", null)
        yield* open(token, "main", "https://www.example.com")
        assert.deepStrictEqual(refusals, ["origin_refused", "origin_refused"])
      }),
    {
      ...parts,
      browserCalls: { origins: ["https://www.example.com"], public_url: "https://voice.example.com/api" }
    }
  )
})

/** Message of the failure to make a token. */
const refusal = (fields: object = {}) => Effect.map(Effect.flip(create(fields)), ({ message }) => message)

describe("a token for a call from a browser", () => {
  test(
    "is not made without an ear",
    () => Effect.map(refusal(), (message) => assert.match(message, /set up a transcriber/)),
    { synthesizer: modemVoice() }
  )

  test(
    "is not made without a voice",
    () => Effect.map(refusal(), (message) => assert.match(message, /set up a voice/)),
    { transcriber: modemTranscriber }
  )

  test(
    "is not made where these calls are off",
    () => Effect.map(refusal(), (message) => assert.match(message, /switched off/)),
    {
      ...parts,
      browserCalls: { enabled: false }
    }
  )

  test("is not made for an agent or a version that does not exist, nor for more variables than an address holds", () =>
    Effect.gen(function*() {
      assert.match(yield* refusal({ app_id: "nobody" }), /nobody/)
      assert.match(yield* refusal({ app_version: 9 }), /no such version/)
      assert.match(yield* refusal({ agent_variables: { note: "x".repeat(6_000) } }), /4,000 bytes/)
      yield* create({ app_version: 2 })
      yield* create({ agent_variables: { note: "x".repeat(3_500) } })
    }))

  test("is of business time only where time is real", () =>
    Effect.gen(function*() {
      const { expires_at } = yield* create()
      assert.strictEqual(expires_at.epochMillis - (yield* BusinessTime.now), 60_000)
    }))
})

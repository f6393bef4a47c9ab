import { EntropyNode } from "@trunkline/entropy-node"
import { BodyTooLarge, envelope, internalEnvelope, RouteNotFound } from "@trunkline/errors"
import { describeCause, Transactions } from "@trunkline/kernel"
import {
  Account,
  AccountId,
  Accounts,
  AccountStore,
  CreditLedger,
  Credits,
  KeyEnvironment,
  Keys,
  KeyStore,
  microCreditsPerCredit,
  RateLimits
} from "@trunkline/rate-limits"
import { Effect, Fiber, Layer, ManagedRuntime, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"

const api = "speech_to_text"
const maxBytes = 1_000_000
/** 16-bit samples, 16,000 a second. */
const secondsOf = (bytes: number) => Math.ceil(bytes / 32_000)

/** The handler that is yours: it answers, and says what it used. */
const recognise = (request: IncomingMessage) =>
  Effect.map(Effect.promise(() => buffer(request)), (audio) => {
    const seconds = secondsOf(audio.length)
    return { value: { transcript: `${seconds} seconds of silence` }, used: { second: seconds } }
  })

/** The checks in front of it: the key, the rate limit and the credits. */
const answer = (request: IncomingMessage, request_id: string) =>
  Effect.gen(function*() {
    if (request.url !== "/speech-to-text" || request.method !== "POST") return yield* new RouteNotFound()
    const size = Number(request.headers["content-length"] ?? Infinity)
    if (!(size <= maxBytes)) return yield* new BodyTooLarge({ limitBytes: maxBytes })
    const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? null
    const subscriptionKey = request.headers["api-subscription-key"]?.toString() ?? null
    const caller = yield* (yield* Keys).authenticate({ bearer, subscriptionKey, xApiKey: null }, "main")
    yield* (yield* RateLimits).spend({ subject: caller, api })
    const charging = { payer: caller, request_id, api, max: { second: secondsOf(size) } }
    return yield* (yield* Credits).pay(charging, recognise(request))
  }).pipe(
    Effect.map((body) => ({ status: 200, body, retryAfterSeconds: undefined })),
    Effect.catchAll((failure) => Effect.succeed(envelope("voices", failure, request_id))),
    Effect.tapDefect((cause) => Effect.logError("A request failed", describeCause(cause))),
    Effect.catchAllDefect(() => Effect.succeed(internalEnvelope("voices", request_id)))
  )

const services = ManagedRuntime.make(
  Layer.mergeAll(Accounts.layer, Keys.layer, Credits.layer(), RateLimits.layerMemory()).pipe(Layer.provide([
    AccountStore.layerMemory,
    CreditLedger.layerMemory,
    KeyStore.layerMemory,
    Transactions.layerMemory,
    EntropyNode.layer
  ]))
)

const server = createServer((request, response) => {
  const handling = Effect.map(answer(request, randomUUID()), ({ body, retryAfterSeconds, status }) => {
    if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds)
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  const fiber = services.runFork(handling)
  response.once("close", () => services.runFork(Fiber.interrupt(fiber)))
})

const account_id = AccountId.make("me")
const { text } = await services.runPromise(Effect.gen(function*() {
  yield* (yield* Accounts).put(new Account({ account_id, plan: "starter", credits: microCreditsPerCredit }))
  const terms = { workspaces: "*", features: [], models: null, label: "Trial", budget: null } as const
  return yield* (yield* Keys).create(account_id, { env: KeyEnvironment.make("dev"), terms })
}))

const port = Number(process.env["PORT"] ?? 8790)
server.listen(port, () => {
  const key = Redacted.value(text)
  const curl = `head -c 320000 /dev/zero | curl -s -H "api-subscription-key: ${key}" --data-binary @-`
  const url = `http://localhost:${port}/speech-to-text`
  console.log(`Key: ${key}\nTen seconds of audio, for a tenth of the account's one credit:\n  ${curl} -i ${url}`)
  console.log("Until the credits are used up (402), and then until 60 in a minute are (429):")
  console.log(`  for i in $(seq 65); do ${curl} -o /dev/null -w "%{http_code}\\n" ${url}; done`)
})

import { CarrierSip } from "@trunkline/carrier-sip"
import { EntropyNode } from "@trunkline/entropy-node"
import { AttemptId, type Entropy, PhoneNumber } from "@trunkline/kernel"
import { makeUserAgent, SipTransport } from "@trunkline/sip"
import { Connection, Connections, isAudioLine } from "@trunkline/telephony"
import { Duration, Effect, Layer, Schema, type Scope, Stream } from "effect"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { makeDatagramTransport } from "./sip-transport.js"

/** Figures of a part, by their names. */
export type Figures = Readonly<Record<string, number>>

const [part = "", first = "", second = ""] = process.argv.slice(2)

const send = (message: unknown): void => void process.send?.(JSON.stringify(message))

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    Number.NaN

/** Settings of the line beside the usual ones, in JSON. */
const further: unknown = JSON.parse((part === "agent" ? first : part === "lines" ? second : "") || "{}")

const line = Schema.decodeUnknownSync(Connection)({
  connection_id: "line",
  provider: "sip",
  phone_numbers: ["+911140000001"],
  options: {
    server: "sip:127.0.0.1",
    local: { address: "127.0.0.1", port: 0 },
    max_lateness_millis: 10_000,
    rtp_ports: { from: 20_000, to: 29_999 },
    inbound: { allow: ["127.0.0.1"], invites_per_second: 10_000 },
    ...(typeof further === "object" && further)
  }
})

/** A second of a tone, which the agent plays again and again. */
const tone = Float32Array.from({ length: 8_000 }, (_, at) => 0.3 * Math.sin(2 * Math.PI * 400 * at / 8_000))

/** Takes all calls and plays a tone; sends its port, and its figures when it is asked for them. */
const agent = Effect.gen(function*() {
  const carrier = yield* CarrierSip.make({})
  let calls = 0
  let heardCount = 0
  let concealed = 0
  yield* Effect.forkScoped(
    Stream.runForEach(
      carrier.offers,
      (offer) =>
        Effect.forkDaemon(Effect.ignore(Effect.map(offer.accept, (answered) => {
          if (!isAudioLine(answered)) return
          calls += 1
          answered.hear((event) => {
            if (event._tag === "Reached") answered.play(tone, 1)
            if (event._tag !== "Frame") return
            heardCount += 1
            if (event.concealed) concealed += 1
          })
          answered.play(tone, 1)
        })))
    )
  )
  let start = process.cpuUsage()
  let since = performance.now()
  process.on("message", (message) => {
    if (message === "begin") {
      start = process.cpuUsage()
      since = performance.now()
    }
    if (message !== "figures") return
    const { system, user } = process.cpuUsage(start)
    send({ calls, heard: heardCount, concealed, cpu: (system + user) / 1_000 / (performance.now() - since) })
  })
  send(carrier.ports.get("line"))
  return yield* Effect.never
})

/** Calls an agent many times over a line like its own, with a tone, and stays; tells when all are answered. */
const lines = (count: number) =>
  Effect.gen(function*() {
    const carrier = yield* CarrierSip.make({})
    const call = (index: number) =>
      carrier.place({
        attempt_id: AttemptId.make(`0199aaaa-0000-7000-8000-${String(index).padStart(12, "0")}`),
        connection: line,
        from: PhoneNumber.make("+911140000001"),
        to: PhoneNumber.make("+911140000001"),
        ringTimeout: Duration.seconds(30)
      }).pipe(
        Effect.flatMap(({ answer }) => answer),
        Effect.map((answered) => {
          if (!isAudioLine(answered)) return
          answered.hear((event) => {
            if (event._tag === "Reached") answered.play(tone, 1)
          })
          answered.play(tone, 1)
        }),
        Effect.delay(index * 25)
      )
    yield* Effect.forEach(Array.from({ length: count }, (_, index) => index), call, { concurrency: "unbounded" })
    send(count)
    return yield* Effect.never
  })

/** Calls an agent at a port many times and stays on the line; the time from each answer to its first packet of sound. */
const callers = (port: number, count: number) =>
  Effect.gen(function*() {
    const transport = yield* makeDatagramTransport
    const user = yield* makeUserAgent().pipe(Effect.provideService(SipTransport, transport))
    const greetings: Array<number> = []
    const call = Effect.gen(function*() {
      const socket = createSocket("udp4")
      socket.bind(0, "127.0.0.1")
      yield* Effect.promise(() => once(socket, "listening"))
      const arrived = once(socket, "message").then(() => performance.now())
      const media = socket.address().port
      const placed = yield* user.invite({
        target: `sip:+911140000001@127.0.0.1:${port}`,
        from: { uri: "sip:+919876543210@127.0.0.1" },
        offer: [
          "v=0",
          "o=- 1 1 IN IP4 127.0.0.1",
          "s=-",
          "c=IN IP4 127.0.0.1",
          "t=0 0",
          `m=audio ${media} RTP/AVP 0`,
          "a=rtpmap:0 PCMU/8000\r\n"
        ].join("\r\n")
      })
      const answered = yield* placed.answered
      const at = performance.now()
      greetings.push(Math.max(0, (yield* Effect.promise(() => arrived)) - at))
      return { answered, socket }
    })
    const open = yield* Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) => Effect.delay(call, index * 25),
      { concurrency: "unbounded" }
    )
    yield* Effect.forEach(open, ({ answered, socket }) =>
      Effect.ensuring(answered.bye(), Effect.sync(() => socket.close())), {
      concurrency: 20,
      discard: true
    })
    send({ greeting50: percentile(greetings, 0.5), greeting99: percentile(greetings, 0.99) })
  })

/** The part of this process. */
const run: Effect.Effect<void, never, Connections | Entropy | Scope.Scope> = part === "agent"
  ? Effect.orDie(agent)
  : part === "lines"
  ? Effect.orDie(lines(Number(first)))
  : Effect.orDie(callers(Number(first), Number(second)))

await Effect.runPromise(
  Effect.scoped(run).pipe(
    Effect.provide(Layer.mergeAll(EntropyNode.layer, Connections.layerOf([line])))
  )
)
process.disconnect?.()

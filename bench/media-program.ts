import { makeVoiceActivityDetector, mulaw } from "@trunkline/audio"
import { CarrierMediaWebsocket } from "@trunkline/carrier-media-websocket"
import {
  type DoubleDialect,
  startMediaDouble,
  twilioAccount,
  twilioDouble
} from "@trunkline/carrier-media-websocket/testing"
import { testCallBrief } from "@trunkline/conversation/testing"
import { AttemptId, ConnectionId, fromPull, PhoneNumber, Transactions } from "@trunkline/kernel"
import { Listener, Synthesizer } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import { type AudioLine, CallEvents, CallEventStore, Connection, isAudioLine, Voicing } from "@trunkline/telephony"
import { TurnTaking } from "@trunkline/turn-taking"
import { Duration, Effect, Layer, Stream } from "effect"
import { percentile } from "./boards-timing.js"
import { callerSound, voiceSound } from "./conversation-sounds.js"
import { startMediaHost } from "./media-host.js"

/** Figures of a part by their names; times in milliseconds. */
export type Figures = Readonly<Record<string, number>>

/** Figures of a part, and moments of calls in microseconds: interruptions, or messages that stop the agent's sound. */
export interface Result {
  readonly figures: Figures
  readonly moments: ReadonlyArray<readonly [streamId: string, at: number]>
  /** Of interruptions: when the frame was sent that completed 200 ms of voice. */
  readonly decisions: ReadonlyArray<readonly [streamId: string, at: number]>
}

/** Message of the bench to a part. */
export type Order = "begin" | "stop"

const [part = "", countText = "1", apiUrl = ""] = process.argv.slice(2)
const count = Number(countText)

const moments: Array<readonly [streamId: string, at: number]> = []
const decisions: Array<readonly [streamId: string, at: number]> = []

/** Frames with a voice that stop the agent: 200 ms. */
const decisiveFrames = 10

const tell = (message: unknown): void => void process.send?.(JSON.stringify(message))

const order = (wanted: Order): Promise<void> =>
  new Promise((resolve) =>
    process.on("message", (message: Order) => {
      if (message === wanted) resolve()
    })
  )

/** Time from one interruption of a call to the next, in milliseconds. */
const intervalMillis = 10_000

const rest = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Microseconds of the clock that all processes of a machine share. */
const microseconds = (): number => Number(process.hrtime.bigint() / 1_000n)

/** Samples of a frame that hold the time at which it was sent: codes of mu-law that are hardly louder than silence. */
const stampLength = 12
const quietest = 0xF0

/** Writes the time into a frame. */
const stamp = (payload: string): string => {
  const bytes = Buffer.from(payload, "base64")
  const digits = microseconds().toString(16).padStart(stampLength, "0")
  for (let at = 0; at < stampLength; at++) bytes[at] = quietest + Number.parseInt(digits.charAt(at), 16)
  return bytes.toString("base64")
}

let isTiming = false
const ages: Array<number> = []

/** Measures the milliseconds since a frame was sent. Frames that were filled in have no time. */
const measureAge = (samples: Float32Array): void => {
  if (!isTiming) return
  const codes = mulaw.encode(samples.subarray(0, stampLength))
  if (codes.every((code) => code === 0xFF)) return
  const sentAt = codes.reduce((time, code) => time * 16 + (code - quietest), 0)
  ages.push((microseconds() - sentAt) / 1_000)
}

const isLoud = (samples: Float32Array): boolean => samples.some((sample) => Math.abs(sample) > 0.05)

/** Twilio and the people whom it calls, who interrupt the agent when a part talks. */
const peers = async (): Promise<void> => {
  /** People who are about to interrupt the agent. */
  const waiting = new Set<string>()
  /** Loud frames of people who are interrupting the agent. */
  const speaking = new Map<string, number>()
  const dialect: DoubleDialect = {
    ...twilioDouble,
    sound: (payload, order, streamId) => {
      const isAwaited = waiting.has(streamId) || speaking.has(streamId)
      if (isAwaited && isLoud(mulaw.decode(Buffer.from(payload, "base64")))) {
        if (waiting.delete(streamId)) moments.push([streamId, microseconds()])
        const frames = (speaking.get(streamId) ?? 0) + 1
        if (frames < decisiveFrames) speaking.set(streamId, frames)
        else {
          speaking.delete(streamId)
          decisions.push([streamId, microseconds()])
        }
      }
      return twilioDouble.sound(stamp(payload), order, streamId)
    }
  }
  const double = await startMediaDouble(dialect)
  tell(double.url)
  await order("begin")
  let isOver = false
  const stopped = order("stop").then(() => {
    isOver = true
  })
  const start = performance.now()
  for (let askedCount = 0; part === "callers" && !isOver; await rest(10)) {
    for (; askedCount < (performance.now() - start) * count / intervalMillis; askedCount++) {
      const call = double.calls[askedCount % count]
      if (call?.person == null) continue
      waiting.add(`stream-${call.facts.id}`)
      call.person.say(callerSound(3, askedCount % 10))
    }
  }
  await stopped
  const result: Result = { figures: { problems: double.problems().length }, moments, decisions }
  tell(result)
}

const number = PhoneNumber.make("+911140000001")

const events = CallEvents.layer().pipe(
  Layer.provide(Layer.merge(CallEventStore.layerMemory, Transactions.layerMemory)),
  Layer.orDie
)

/** A voice with sound at the rate of the line, and a listener who always hears the same words. */
const voicing = TurnTaking.layer.pipe(
  Layer.provide([
    Layer.succeed(Synthesizer, {
      ability: { engine: "recorded", cloning: "none", languages: ["en-IN"], nativeRate: 8_000, controls: [] },
      speak: () =>
        fromPull(Effect.sync(() => {
          const pieces = [voiceSound(8_000, 12)]
          return Effect.sync(() => pieces.shift() ?? null)
        }))
    }),
    Layer.succeed(Listener, {
      open: () =>
        Effect.succeed({
          push: measureAge,
          partials: Stream.empty,
          flush: Effect.succeed("I have a question about that")
        })
    }),
    TextNormalizer.layer
  ])
)

/** Ten minutes of a tone, and a voice activity detector. */
const carry = (line: AudioLine): void => {
  const detector = makeVoiceActivityDetector({ rate: line.rate })
  line.hear((event) => {
    if (event._tag !== "Frame") return
    measureAge(event.samples)
    detector.push(event.samples, event.concealed)
  })
  for (const piece of Array.from({ length: 50 }, () => voiceSound(8_000, 12)).flat()) line.play(piece)
}

/** An agent that always speaks, and goes on when it was interrupted. */
const talk = (line: AudioLine) =>
  Effect.scoped(Effect.gen(function*() {
    const leg = yield* (yield* Voicing).legOf(line, testCallBrief)
    const utterance = { text: "Let me tell you more about it.", language_name: "English", interruptible: true }
    yield* Effect.forever(
      Effect.flatMap(
        leg.say(utterance),
        ({ interrupted }) => interrupted ? leg.listen(Duration.seconds(5)) : Effect.void
      )
    )
  }))

/** CPU time of the process, in milliseconds. */
const cpuNow = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e3
}

/** Carries calls, with the whole turn-taking when the people talk. */
const calls = Effect.gen(function*() {
  const { make } = CarrierMediaWebsocket
  const carrier = (yield* make({ TWILIO_TOKEN: twilioAccount.token })).find(({ provider }) => provider === "twilio")
  if (carrier === undefined) return yield* Effect.dieMessage("There is no such carrier")
  const { setConnection, url } = yield* startMediaHost(carrier, (frame) => {
    const [, streamId] = frame.length < 200 ? /"event":"clear","streamSid":"([^"]+)"/.exec(frame) ?? [] : []
    if (streamId !== undefined) moments.push([streamId, microseconds()])
  })
  const connection = new Connection({
    connection_id: ConnectionId.make("line-1"),
    provider: "twilio",
    phone_numbers: [number],
    options: {
      public_url: url,
      api_url: apiUrl,
      account_sid: twilioAccount.sid,
      auth_token_env: "TWILIO_TOKEN",
      timeouts: { connect_seconds: 9, create_seconds: 9, request_seconds: 60, stream_seconds: 60 }
    }
  })
  setConnection(connection)
  let attempts = 0
  // A busy machine may take longer than the provider has to create a call; then another attempt is made.
  const dial = () =>
    Effect.gen(function*() {
      const placed = yield* carrier.place({
        attempt_id: AttemptId.make(`0199aaaa-0000-7000-8000-${String(attempts++).padStart(12, "0")}`),
        connection,
        from: number,
        to: PhoneNumber.make("+919876543210"),
        ringTimeout: Duration.seconds(40)
      })
      const line = yield* placed.answer
      if (!isAudioLine(line)) return yield* Effect.dieMessage("The call has no sound")
      if (part === "lines") carry(line)
      else yield* Effect.forkScoped(talk(line))
    }).pipe(Effect.retry({ times: 5 }))
  yield* Effect.forEach(Array.from({ length: count }), dial, { concurrency: 4, discard: true })
  tell("connected")
  yield* Effect.promise(() => order("begin"))
  isTiming = true
  const start = { cpu: cpuNow(), at: performance.now() }
  yield* Effect.promise(() => order("stop"))
  const share = (cpuNow() - start.cpu) / (performance.now() - start.at)
  isTiming = false
  const figures = { share, frame50: percentile(ages, 50), frame99: percentile(ages, 99), frames: ages.length }
  const result: Result = { figures, moments, decisions }
  tell(result)
}).pipe(Effect.scoped, Effect.provide([events, voicing]))

if (part === "lines" || part === "talks") await Effect.runPromise(calls)
else await peers()

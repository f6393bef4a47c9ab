import { makeBrowserLines } from "@trunkline/carrier-media-websocket"
import { type BrowserPerson, makeBrowserPerson, makeMediaClock } from "@trunkline/carrier-media-websocket/testing"
import { testCallBrief } from "@trunkline/conversation/testing"
import { fromPull } from "@trunkline/kernel"
import { Listener, Synthesizer } from "@trunkline/speech"
import { TextNormalizer } from "@trunkline/spoken-text"
import { type FrameSocket, makeFrameInbox, Voicing } from "@trunkline/telephony"
import { TurnTaking } from "@trunkline/turn-taking"
import { Duration, Effect, Layer, Stream } from "effect"
import { once } from "node:events"
import { type RawData, WebSocket, WebSocketServer } from "ws"
import { callerSound, voiceSound } from "./conversation-sounds.js"

const [countText = "1", secondsText = "1"] = process.argv.slice(2)
const count = Number(countText)

/** Milliseconds of a transcript, of the model's first words, and of the voice's first sound. */
const delays = { transcript: 150, model: 250, voice: 120 }

/** Time from one question of a person to the next, in milliseconds. */
const intervalMillis = 5_000

const voicing = TurnTaking.layer.pipe(
  Layer.provide([
    Layer.succeed(Synthesizer, {
      ability: { engine: "recorded", cloning: "none", languages: ["en-IN"], nativeRate: 24_000, controls: [] },
      speak: () =>
        fromPull(Effect.sync(() => {
          const pieces = [voiceSound(24_000, 1)]
          return Effect.suspend(() => {
            const next = pieces.shift() ?? null
            return next === null ? Effect.succeed(null) : Effect.delay(Effect.succeed(next), delays.voice)
          })
        }))
    }),
    Layer.succeed(Listener, {
      open: () =>
        Effect.succeed({
          push: () => {},
          partials: Stream.empty,
          flush: Effect.delay(Effect.succeed("I have a question about the order."), delays.transcript)
        })
    }),
    TextNormalizer.layer
  ])
)

const framesOf = (ws: WebSocket): FrameSocket => {
  const inbox = makeFrameInbox()
  ws.on(
    "message",
    (data: Buffer, isBinary) =>
      inbox.add(isBinary ? { _tag: "Bytes", bytes: data } : { _tag: "Text", text: String(data) })
  )
  ws.once("close", (code) => inbox.add({ _tag: "Closed", code }))
  return {
    post: (frame) => ws.readyState === ws.OPEN && ws.send(frame),
    waitingBytes: () => ws.bufferedAmount,
    hear: inbox.hear,
    close: (code, reason) => ws.close(code, reason)
  }
}

const lines = makeBrowserLines()
const clock = makeMediaClock()

/** An agent that answers each question after the time of a model. */
const answer = (ws: WebSocket) =>
  Effect.scoped(Effect.gen(function*() {
    const { line } = yield* lines.open(framesOf(ws), { attempt_id: "bench", limitMillis: 3_600_000 })
    const leg = yield* (yield* Voicing).legOf(line, testCallBrief)
    while (true) {
      const heard = yield* leg.listen(Duration.minutes(5))
      if (heard._tag !== "Said") continue
      yield* Effect.sleep(delays.model)
      yield* leg.say({ text: "Yes, of course.", language_name: "English", interruptible: true })
    }
  })).pipe(Effect.ignore, Effect.provide(voicing))

const server = new WebSocketServer({ port: 0, host: "127.0.0.1" })
server.on("connection", (ws) => void Effect.runFork(answer(ws)))
await once(server, "listening")
const address = server.address()
const url = `ws://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`

/** Sound at 16 kHz of so many words. */
const question = (seed: number): Float32Array => {
  const sound = callerSound(3, seed)
  return Float32Array.from({ length: sound.length * 2 }, (_, at) => sound[at >> 1] ?? 0)
}

const isVoiced = (pcm: Int16Array): boolean => pcm.some((sample) => Math.abs(sample) > 1_000)

const gaps: Array<number> = []

/** A person who asks again and again; measured from their last voiced frame on the wire to the agent's first sound in it. */
const connect = async (): Promise<BrowserPerson> => {
  const ws = new WebSocket(url)
  await once(ws, "open")
  let lastVoice: number | null = null
  const send = (frame: string | Uint8Array): void => {
    if (ws.readyState !== ws.OPEN) return
    if (typeof frame !== "string" && isVoiced(new Int16Array(frame.buffer, frame.byteOffset, frame.byteLength / 2))) {
      lastVoice = performance.now()
    }
    ws.send(frame)
  }
  const person = makeBrowserPerson(clock, { send, close: (code) => ws.close(code) })
  ws.on("message", (data: RawData, isBinary) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.alloc(0)
    if (isBinary && lastVoice !== null) {
      gaps.push(performance.now() - lastVoice)
      lastVoice = null
    }
    person.receive(isBinary ? { _tag: "Bytes", bytes } : { _tag: "Text", text: String(bytes) })
  })
  return person
}

const rest = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const people = await Promise.all(Array.from({ length: count }, connect))
await rest(1_000)
const until = performance.now() + 1_000 * Number(secondsText)
for (let round = 0; performance.now() < until; round++) {
  for (const [index, person] of people.entries()) {
    person.say(question(round + index))
    await rest(intervalMillis / count)
  }
}
await rest(2_000)
process.send?.(JSON.stringify(gaps))
process.exit(0)

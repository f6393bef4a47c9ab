import { AgentCatalog } from "@trunkline/agents"
import { makeG722Encoder, makeVoiceActivityDetector } from "@trunkline/audio"
import { layerMedia, Media } from "@trunkline/carrier-sip"
import { callRecorderLayer, RecordingKeys } from "@trunkline/engine"
import { EntropyNode } from "@trunkline/entropy-node"
import { FilesDisk } from "@trunkline/files-disk"
import { AppId, AttemptId, InteractionId, OrgId, PhoneNumber, Scope, WorkspaceId } from "@trunkline/kernel"
import { isRtcp, rtpHeaderBytes, writeRtpHeader } from "@trunkline/sip"
import { type AudioLine, type CallBrief, CallRecorder } from "@trunkline/telephony"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { percentile } from "./boards-timing.js"

/** Figures of a part by their names; times in milliseconds. */
export type Figures = Readonly<Record<string, number>>

/** Message between the bench and a part: the ports to send to, or the end of the measurement. */
export type Order = { readonly _tag: "Ports"; readonly ports: ReadonlyArray<number> } | { readonly _tag: "Stop" }

const tickMillis = 20

/** Time before anything is measured, in which code becomes fast and jitter buffers settle. */
const warmUp = 3_000

const [part = "", countText = "1", bandText = "narrow"] = process.argv.slice(2)
const count = Number(countText)

const cpuNow = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e3
}

const tell = (message: unknown): void => void process.send?.(JSON.stringify(message))

/** Resolves with the first order of a kind. */
const order = <Tag extends Order["_tag"]>(tag: Tag): Promise<Extract<Order, { readonly _tag: Tag }>> =>
  new Promise((resolve) =>
    process.on("message", (message: Order) => {
      if (message._tag === tag) resolve(message as Extract<Order, { readonly _tag: Tag }>)
    })
  )

const rest = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Measures the CPU time of this process for a call and second, from the end of the warm-up until it is told to stop. */
const measureCpu = async (): Promise<number> => {
  await rest(warmUp)
  const start = { cpu: cpuNow(), at: performance.now() }
  await order("Stop")
  return (cpuNow() - start.cpu) / (performance.now() - start.at) / count
}

const openSockets = (): Promise<ReadonlyArray<Socket>> =>
  Promise.all(Array.from({ length: count }, () =>
    new Promise<Socket>((resolve) => {
      const socket = createSocket({ type: "udp4", lookup: (host, _options, callback) => callback(null, host, 4) })
      socket.bind(0, "127.0.0.1", () => resolve(socket))
    })))

/** Calls something for each stream every 20 ms, spread over slots of a millisecond; deadlines are absolute. */
const pace = (send: (stream: number) => void): void => {
  let turn = Math.floor(performance.now())
  const run = (): void => {
    const now = Math.floor(performance.now())
    while (turn < now) {
      turn += 1
      for (let stream = turn % tickMillis; stream < count; stream += tickMillis) send(stream)
    }
    setTimeout(run, Math.max(0, turn + 1 - performance.now()))
  }
  run()
}

/** Sound that the calls play and hear: its codec, and its rate here. */
const sounds = {
  narrow: { codec: "mulaw", payloadType: 0, rate: 8_000 },
  wide: { codec: "g722", payloadType: 9, rate: 16_000 }
} as const
const sound = part === "wide" || bandText === "wide" ? sounds.wide : sounds.narrow

/** Payload of a packet with a tone. */
const tonePayload = (): Uint8Array => {
  const bytes = new Uint8Array(160)
  if (sound === sounds.narrow) return bytes.map((_, at) => at % 20 < 10 ? 0x90 : 0x10)
  makeG722Encoder().encode(Float32Array.from({ length: 320 }, (_, at) => 0.3 * Math.sin(at * 0.15)), bytes, 0)
  return bytes
}

/** A second of the tone that agents say, one second after the other. */
const toneSecond = Float32Array.from(
  { length: sound.rate },
  (_, at) => 0.3 * Math.sin(at * 2_400 / sound.rate)
)

/** Sends a packet with a tone on each socket at its pace. */
const sendStreams = (sockets: ReadonlyArray<Socket>, ports: ReadonlyArray<number>): void => {
  const payload = tonePayload()
  const packets = sockets.map((_, ssrc) => {
    const bytes = new Uint8Array(rtpHeaderBytes + payload.length)
    bytes.set(payload, rtpHeaderBytes)
    return { bytes, header: { payloadType: sound.payloadType, marker: false, sequence: 0, timestamp: 0, ssrc } }
  })
  pace((stream) => {
    const packet = packets[stream]
    if (packet === undefined) return
    const { bytes, header } = packet
    header.sequence = (header.sequence + 1) & 0xFFFF
    header.timestamp += 160
    writeRtpHeader(bytes, header)
    sockets[stream]?.send(bytes, 0, bytes.length, ports[stream] ?? 0, "127.0.0.1", () => undefined)
  })
}

const portsOf = (sockets: ReadonlyArray<Socket>) => sockets.map((socket) => socket.address().port)

/** Other sides of the calls: when packets arrive, compared with their timestamps. */
const peers = async (): Promise<void> => {
  const sockets = await openSockets()
  const arrivals = sockets.map((): Array<number> => [])
  /** First timestamps of the streams: all others count from them, since they wrap. */
  const origins = new Map<number, number>()
  let isMeasuring = false
  sockets.forEach((socket, stream) =>
    socket.on("message", (bytes) => {
      // Reports for the stream whose port is one less come here as well.
      if (!isMeasuring || isRtcp(bytes)) return
      const timestamp = bytes.readUInt32BE(4)
      const origin = origins.get(stream) ?? timestamp
      origins.set(stream, origin)
      arrivals[stream]?.push(performance.now() - ((timestamp - origin) | 0) / 8)
    })
  )
  tell(portsOf(sockets))
  const { ports } = await order("Ports")
  sendStreams(sockets, ports)
  await rest(warmUp)
  isMeasuring = true
  await order("Stop")
  const late = arrivals.flatMap((transits) => {
    const fastest = transits.reduce((least, transit) => Math.min(least, transit), Infinity)
    return transits.map((transit) => transit - fastest)
  })
  const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length
  const drifts = arrivals.map((transits) => Math.abs(mean(transits.slice(-50)) - mean(transits.slice(0, 50))))
  tell({
    late50: percentile(late, 50),
    late99: percentile(late, 99),
    drift: drifts.reduce((most, drift) => Math.max(most, drift), 0),
    packets: late.length
  })
}

/** A loop over bare sockets: the same packets, with nothing done to them. */
const bare = async (): Promise<void> => {
  const sockets = await openSockets()
  for (const socket of sockets) socket.on("message", () => undefined)
  tell(portsOf(sockets))
  const { ports } = await order("Ports")
  sendStreams(sockets, ports)
  tell({ cpu: await measureCpu() })
}

/** Calls over the media thread, whose frames a voice activity detector hears; `tap` wraps their lines. */
const media = (
  isBlocked: boolean,
  tap: (line: AudioLine, index: number) => Effect.Effect<AudioLine> = Effect.succeed
) =>
  Effect.gen(function*() {
    const media = yield* Media
    const sessions = yield* Effect.replicateEffect(media.open({ address: "127.0.0.1", family: 4 }), count)
    let invalid = 0
    const lines = yield* Effect.forEach(sessions, ({ clear, hear, play, press, rate, tap: codes }, index) =>
      tap({ _tag: "AudioLine", rate, hear, play, clear, tap: codes, press, hangUp: Effect.void }, index))
    for (const line of lines) {
      const detector = makeVoiceActivityDetector({ rate: sound.rate })
      line.hear((event) => {
        if (event._tag === "Frame" && detector.push(event.samples, event.concealed) === "invalid") {
          invalid += 1
        }
      })
    }
    tell(sessions.map(({ local }) =>
      local.port
    ))
    const { ports } = yield* Effect.promise(() => order("Ports"))
    sessions.forEach((session, index) => {
      const remotePort = ports[index] ?? 0
      session.negotiate({
        remoteHost: "127.0.0.1",
        remotePort,
        remoteRtcpPort: remotePort + 1,
        codec: sound.codec,
        payloadType: sound.payloadType,
        received: [{ payloadType: sound.payloadType, codec: sound.codec }],
        telephoneEvent: { sent: 101, received: 101 },
        packetMillis: tickMillis,
        direction: "sendrecv",
        natLatch: false,
        srtp: null
      })
      // The first second twice, so that there is always something to play.
      const start = 1_000 * index / count
      for (const millis of [0, start]) setTimeout(() => lines[index]?.play(toneSecond), millis)
      setTimeout(() => setInterval(() => lines[index]?.play(toneSecond), 1_000), start)
    })
    if (isBlocked) {
      setInterval(() => {
        for (const start = performance.now(); performance.now() - start < 30;);
      }, 100)
    }
    const cpu = yield* Effect.promise(measureCpu)
    const { concealedFrames, latenessMillis, lostPackets } = media.gauges()
    tell({ cpu, late99: latenessMillis, lost: lostPackets, concealed: concealedFrames, invalid })
  }).pipe(Effect.scoped, Effect.provide(layerMedia()))

/** The same calls, recorded in files of a folder that is removed afterwards. */
const recorded = Effect.suspend(() => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-recording-"))
  const keys = Layer.provide(
    RecordingKeys.layer([Redacted.make("k".repeat(32))]),
    Layer.merge(EntropyNode.layer, EntropyNode.layerCrypto)
  )
  const parts = Layer.mergeAll(FilesDisk.layer(folder), keys, AgentCatalog.layerOf([]))
  const brief: CallBrief = {
    attempt_id: AttemptId.make("bench"),
    scope: new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") }),
    direction: "inbound",
    app_id: AppId.make("bench"),
    app_version: 1,
    user_phone_number: PhoneNumber.make("+919876543210"),
    agent_phone_number: PhoneNumber.make("+911140000001"),
    agent_variables: {},
    app_overrides: { record: true },
    maxDuration: Duration.hours(1)
  }
  return Effect.flatMap(CallRecorder, (recorder) =>
    media(false, (line, index) =>
      Effect.map(
        recorder.record(line, { interaction_id: InteractionId.make(`bench-${index}`), brief, isResumed: false }),
        (recording) => recording?.line ?? line
      ))).pipe(
      Effect.provide(Layer.provide(callRecorderLayer({}), parts)),
      Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    )
})

if (part === "peers") await peers()
if (part === "bare") await bare()
if (part === "recorded") await Effect.runPromise(recorded)
if (part === "media" || part === "wide" || part === "blocked") await Effect.runPromise(media(part === "blocked"))

import { makeG722Decoder, makeG722Encoder, mulaw } from "@trunkline/audio"
import { report } from "./report.js"
import { measure } from "./sip-media.js"

/** Seconds of sound of a measurement, and number of measurements, of which the best counts. */
const [SECONDS, TIMES] = [60, 5]

/** A voice of harmonics with pauses and some noise, at a rate, in frames of 20 ms. */
const voice = (rate: number): ReadonlyArray<Float32Array> =>
  Array.from({ length: 50 * SECONDS }, (_, frame) =>
    Float32Array.from({ length: rate / 50 }, (_, index) => {
      const at = frame / 50 + index / rate
      const pitch = 2 * Math.PI * (130 * at + 3 * Math.sin(3 * at))
      const loudness = Math.max(0, Math.sin(4 * at)) * 0.1
      const harmonics = [1, 2, 3, 5, 8, 13].reduce((sum, by) => sum + Math.sin(by * pitch) / Math.sqrt(by), 0)
      return loudness * harmonics + 0.004 * (Math.random() - 0.5)
    }))

/** Least CPU time of a second of a call, in milliseconds, after a first run in which the code becomes fast. */
const cpuOf = (run: () => void): number => {
  run()
  const times = Array.from({ length: TIMES }, () => {
    const before = process.cpuUsage()
    run()
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1e3 / SECONDS
  })
  return Math.min(...times)
}

/** CPU of the codec alone, both ways. */
const measureG722 = (): number => {
  const frames = voice(16_000)
  const bytes = frames.map(() => new Uint8Array(160))
  const heard = new Float32Array(320)
  const { encode } = makeG722Encoder()
  const { decode } = makeG722Decoder()
  return cpuOf(() =>
    frames.forEach((frame, index) => {
      const payload = bytes[index] ?? new Uint8Array(160)
      encode(frame, payload, 0)
      decode(payload, 0, 160, heard, 0)
    })
  )
}

const measureMulaw = (): number => {
  const frames = voice(8_000)
  return cpuOf(() => {
    for (const frame of frames) mulaw.decode(mulaw.encode(frame))
  })
}

/** Adds the cost of a wide band to the report: of G.722 alone, and of calls with it beside calls with mu-law. */
export const measureWide = async (count: number, seconds: number): Promise<void> => {
  const [g722, narrow] = [measureG722(), measureMulaw()]
  report({
    path: "G.722, a second both ways, CPU",
    ours: `${g722.toFixed(2)} ms, ${(g722 / 10).toFixed(3)} % of a core a call`,
    peer: `mu-law ${narrow.toFixed(2)} ms`,
    ratio: `${(g722 / narrow).toFixed(1)} times mu-law`,
    goal: "0.1 % of a core a call"
  })
  const percent = async (part: "media" | "wide") => 100 * Number((await measure(part, count, seconds))("cpu", 6))
  const media = await percent("media")
  const wide = await percent("wide")
  report({
    path: `RTP both ways with G.722 and a voice activity detector, ${count} calls, CPU a call`,
    ours: `${wide.toFixed(3)} % of a core`,
    peer: `with mu-law ${media.toFixed(3)} %`,
    ratio: `${(wide / media).toFixed(2)} times mu-law`,
    goal: ""
  })
}

import { alaw, fromLinear16, makeResampler, mulaw, toLinear16 } from "@trunkline/audio"
import type { RealtimeSettings } from "../RealtimeOptions.js"

type FormatName = Readonly<Record<string, unknown>>

/** Sound of one session, between the samples of a line and the bytes of the protocol. */
export interface SoundFormat {
  /** Name of the format, today, in the beta, and in the protocol of GPT-Live. */
  readonly names: { readonly ga: FormatName; readonly beta: string; readonly live: FormatName }
  readonly encode: (samples: Float32Array) => Uint8Array
  /** Decodes the next bytes of the present answer. */
  readonly decode: (bytes: Uint8Array) => Float32Array
  /** Begins the sound of another answer. */
  readonly reset: () => void
}

/** Rate of the protocol's PCM, its only one, in hertz. */
const pcmRate = 24_000

/** Rate of G.711 in hertz. */
const g711Rate = 8_000

const g711Format = (law: RealtimeSettings["law"]): SoundFormat => {
  const { decode, encode } = law === "mulaw" ? mulaw : alaw
  return {
    names: law === "mulaw"
      ? { ga: { type: "audio/pcmu" }, beta: "g711_ulaw", live: { type: "audio/pcmu", rate: g711Rate } }
      : { ga: { type: "audio/pcma" }, beta: "g711_alaw", live: { type: "audio/pcma", rate: g711Rate } },
    encode,
    decode,
    reset: () => {}
  }
}

const pcmFormat = (rate: number): SoundFormat => {
  const toServer = makeResampler({ from: rate, to: pcmRate })
  const makeToLine = () => makeResampler({ from: pcmRate, to: rate, band: "telephone" })
  let toLine = makeToLine()
  return {
    names: {
      ga: { type: "audio/pcm", rate: pcmRate },
      beta: "pcm16",
      live: { type: "audio/pcm", rate: pcmRate }
    },
    encode: (samples) => toLinear16(toServer.push(samples)),
    decode: (bytes) => toLine.push(fromLinear16(bytes)),
    reset: () => {
      toLine = makeToLine()
    }
  }
}

/**
 * The format for lines of a rate in hertz: G.711 at 8,000, whose bytes are those of a line with the same law, and PCM at 24,000
 * with resampling otherwise.
 */
export const soundFormatOf = (rate: number, law: RealtimeSettings["law"]): SoundFormat =>
  rate === g711Rate ? g711Format(law) : pcmFormat(rate)

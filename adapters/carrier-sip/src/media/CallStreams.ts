import { frameMillis } from "@trunkline/audio"
import { makeRtpReceiver, makeRtpSender, type RtpReceiver, type RtpSender, type SoundRate } from "@trunkline/sip"

/** Both directions of the sound of a call, at the rate of its first description. */
export interface CallStreams {
  readonly receiver: RtpReceiver
  readonly sender: RtpSender
  /** Frame that is heard, and frame that is sent. */
  readonly input: Float32Array
  readonly output: Float32Array
}

/** Parts of the streams. */
export interface CallStreamsOptions {
  readonly rate: SoundRate
  readonly ssrc: number
  /** Random numbers of 32 bits. */
  readonly uint32: () => number
  readonly onKey: (digit: string) => void
  readonly send: (packet: Uint8Array) => void
}

/** Makes the streams of a call. Their formats are those of its description, which is set next. */
export const makeCallStreams = ({ onKey, rate, send, ssrc, uint32 }: CallStreamsOptions): CallStreams => ({
  receiver: makeRtpReceiver({ formats: { sounds: [], telephoneEvent: null }, onKey, rate }),
  sender: makeRtpSender({
    formats: { codec: "mulaw", payloadType: 0, telephoneEvent: null },
    rate,
    ssrc,
    // In the lower half, so that a receiver of encrypted sound that misses the first packets knows their round.
    sequence: uint32() & 0x7FFF,
    timestamp: uint32(),
    send
  }),
  input: new Float32Array(rate * frameMillis / 1000),
  output: new Float32Array(rate * frameMillis / 1000)
})

import type { RtpCodec, SoundRate } from "@trunkline/sip"
import type { AudioLine, LineEvent, SoundTap } from "@trunkline/telephony"
import { Context, Data, type Effect, type Scope } from "effect"
import type { SrtpKey } from "../srtp/SrtpKey.js"

/** No sound can pass: no port is free, the address cannot be used, or the media thread did not start. */
export class MediaUnavailable extends Data.TaggedError("MediaUnavailable")<{
  readonly reason: "no_port" | "bad_address" | "no_thread"
  /** Code of the operating system, or the kind of the error. */
  readonly detail: string
}> {
  override get message() {
    const reasons = {
      no_port: "no port of the range is free",
      bad_address: "the address cannot be used",
      no_thread: "the media thread does not run"
    }
    return `A call cannot have sound: ${reasons[this.reason]} (${this.detail})`
  }
}

/** Directions in which sound may pass, seen from here (RFC 3264, section 5.1). */
export type MediaDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive"

/** Result of an offer and its answer for the one audio stream of a call. */
export interface MediaDescription {
  /** IP address to send to, and from which sound is accepted. `0.0.0.0` and `::` count as a hold. */
  readonly remoteHost: string
  readonly remotePort: number
  /** Port for RTCP: `remotePort + 1` unless the other side names another (RFC 3605). */
  readonly remoteRtcpPort: number
  /** Codec of the sound that is sent. */
  readonly codec: RtpCodec
  /** Payload type of the sound that is sent, as the other side numbers it: 0, 8 or 9 for G.722, as a rule. */
  readonly payloadType: number
  /** Payload types of the sound that arrives, as our description numbers them, with their codecs (RFC 3264, section 6.1). */
  readonly received: ReadonlyArray<{ readonly payloadType: number; readonly codec: RtpCodec }>
  /**
   * Payload types of `telephone-event` at 8000 Hz, that which the other side expects and that which our description names;
   * null when the other side does not take it.
   */
  readonly telephoneEvent: { readonly sent: number; readonly received: number } | null
  /** Sound in a packet that is sent, in milliseconds; from 10 to 60. Received packets may have any duration. */
  readonly packetMillis: number
  readonly direction: MediaDirection
  /** Accepts the first source within 5 s even when it has another address than `remoteHost`, as behind a NAT. */
  readonly natLatch: boolean
  /** Keys of encrypted sound in both directions; null for plain sound. They are secrets. */
  readonly srtp: { readonly sent: SrtpKey; readonly received: SrtpKey } | null
}

/** Samples per second of a call that begins with a description. */
export const rateOf = ({ codec }: MediaDescription): SoundRate => codec === "g722" ? 16_000 : 8_000

/** True for a description under which no sound from here passes: the other side holds the call. */
export const isOnHold = ({ direction, remoteHost }: MediaDescription): boolean =>
  direction === "recvonly" || direction === "inactive" || remoteHost === "0.0.0.0" || remoteHost === "::"

/** Figures of one call so far. */
export interface MediaStatistics {
  readonly sentPackets: number
  readonly receivedPackets: number
  /** Packets that never arrived, as their sequence numbers tell. */
  readonly lostPackets: number
  /** Packets that arrived after their turn to be played. */
  readonly latePackets: number
  /** Frames of 20 ms that were filled in, wholly or in part, for packets that were lost or late. */
  readonly concealedFrames: number
  /** Variation of the packets' delay as RFC 3550, section 6.4.1 measures it, in milliseconds. */
  readonly jitterMillis: number
  /** Delay of the jitter buffer, in milliseconds. */
  readonly delayMillis: number
  /** Packets lost on their way to the other side, as it last reported; null before a report. */
  readonly remoteLostPackets: number | null
  /** Round trip by RTCP, in milliseconds; null before it is known. */
  readonly roundTripMillis: number | null
  /** 99th percentile of the delay with which packets were sent, in milliseconds. */
  readonly latenessMillis: number
}

/** Figures of all calls of a media thread. */
export interface MediaGauges {
  /** Calls with sound now. */
  readonly calls: number
  /** 99th percentile of the delay with which packets were sent in the last five seconds, in milliseconds; 0 without any. */
  readonly latenessMillis: number
  /** Lateness that lasts: what the 99th percentiles of three of the last five seconds reached; 0 after one busy moment. */
  readonly lastingLatenessMillis: number
  /** Packets that never arrived, of calls until now. */
  readonly lostPackets: number
  /** Frames that were filled in, of calls until now. */
  readonly concealedFrames: number
  /** Packets to calls until now from another source than that of the call, which were dropped. */
  readonly refusedPackets: number
}

/** Event of the sound of a call. The end of the call is left to its signalling. */
export type MediaEvent = Exclude<LineEvent, { readonly _tag: "Ended" }>

/** Sound of one call, from its ports to its frames; most of an `AudioLine`. It ends with the scope that it was opened in. */
export interface MediaSession extends Pick<AudioLine, "play" | "clear"> {
  /** Taps the sound of a call at 8,000 Hz; nothing comes of it at another rate. */
  readonly tap: () => SoundTap
  /**
   * Samples per second of what is played and heard: 16,000 when the first description has G.722, and otherwise 8,000. It stays
   * through all later ones, whatever their codec.
   */
  readonly rate: SoundRate
  /** Address and RTP port, which is even, to write into a session description. RTCP has the next port. */
  readonly local: { readonly address: string; readonly port: number }
  /**
   * Starts or changes the sound after an offer and its answer; may be called again for hold or another codec. Before the
   * first call nothing is sent, and whatever arrives is dropped unless `overhear` takes it. A `direction` that forbids to send
   * is a hold: nothing is played or heard meanwhile.
   */
  readonly negotiate: (description: MediaDescription) => void
  /**
   * Hears the sound of a provisional response, before the answer: frames of 160 samples, which are valid only during the call,
   * and true for one that is concealed. Nothing is sent and nothing counts, so that the first `negotiate`, which ends it,
   * begins as if there had been none. The description of another response takes the place of the one before.
   */
  readonly overhear: (
    description: MediaDescription,
    hear: (samples: Float32Array, isConcealed: boolean) => void
  ) => void
  /** Sets the listener of all events from now on. */
  readonly hear: (listener: (event: MediaEvent) => void) => void
  /** Sends keys as telephone events, or through `sendInfo` when the other side does not take those. */
  readonly press: (digits: string) => Effect.Effect<void>
  /** Reports a key that arrived by INFO. A key that arrives both ways counts once. */
  readonly reportKey: (digit: string) => void
  /**
   * Completes when nothing has arrived for 20 s, counted from when this effect starts, except while the call is on hold or
   * only sends; or at once when the media thread has crashed.
   */
  readonly dead: Effect.Effect<void>
  /** True when no packet has ever arrived, although the other side may send. */
  readonly isDeaf: () => boolean
  readonly statistics: () => MediaStatistics
}

/** Options of the sound of one call. */
export interface MediaOpenOptions {
  /** Address of this machine to bind and to write into session descriptions, such as `192.0.2.1` or `::1`. */
  readonly address: string
  readonly family: 4 | 6
  /** Sends a key by INFO, when the other side does not take telephone events. Absent: such keys are dropped. */
  readonly sendInfo?: (digit: string) => Effect.Effect<void>
}

/** Sound of calls over RTP. */
export class Media extends Context.Tag("@trunkline/carrier-sip/Media")<Media, {
  /** Opens a pair of ports for a call, for as long as the scope is open. */
  readonly open: (options: MediaOpenOptions) => Effect.Effect<MediaSession, MediaUnavailable, Scope.Scope>
  readonly gauges: () => MediaGauges
}>() {}

/** Options of the media thread. */
export interface MediaOptions {
  /** First and last port for RTP and RTCP; 16384 to 32767 by default. A call takes two. */
  readonly ports?: { readonly from: number; readonly to: number }
  /** Time without any packet after which a call is dead, in milliseconds; 20 seconds by default. */
  readonly deadAfterMillis?: number
}

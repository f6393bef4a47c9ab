import type { MediaDescription } from "../Media.js"
import type { SharedCall } from "../shared/SharedCall.js"
import type { SharedCodes } from "../shared/SharedCodes.js"
import type { SharedGauges } from "../shared/SharedGauges.js"
import type { FrameRing } from "./FrameRing.js"

/** Settings that a media thread starts with. */
export interface MediaThreadSettings {
  readonly ports: { readonly from: number; readonly to: number }
  readonly gauges: SharedGauges
  /** Way of the frames to the main thread. */
  readonly ring: FrameRing
}

/** Message to the media thread. Calls are numbered. */
export type ToThread =
  | {
    readonly _tag: "Open"
    readonly call: number
    readonly address: string
    readonly family: 4 | 6
    readonly shared: SharedCall
  }
  | { readonly _tag: "Negotiate"; readonly call: number; readonly description: MediaDescription }
  | { readonly _tag: "Overhear"; readonly call: number; readonly description: MediaDescription }
  | {
    readonly _tag: "Play"
    readonly call: number
    /** Number of clears before. */
    readonly generation: number
    readonly samples: Float32Array
    readonly mark: number | undefined
  }
  | { readonly _tag: "Tap"; readonly call: number; readonly codes: SharedCodes }
  | { readonly _tag: "Press"; readonly call: number; readonly digits: string }
  | { readonly _tag: "Close"; readonly call: number }

/** Event of a call on its way to the main thread. */
export type ThreadEvent =
  | { readonly _tag: "Pressed"; readonly call: number; readonly digit: string }
  | { readonly _tag: "Reached"; readonly call: number; readonly mark: number; readonly generation: number }

/** Message about the slots that the wheel has passed since the message before. Most frames go through the ring. */
export interface WheelTurn {
  readonly _tag: "Turn"
  readonly events: ReadonlyArray<ThreadEvent>
  /** Frames for which the ring had no room: their tags, and their samples one after another. */
  readonly frames: { readonly tags: Int32Array; readonly samples: Float32Array } | null
}

/** Message from the media thread. */
export type FromThread =
  | { readonly _tag: "Opened"; readonly call: number; readonly port: number }
  | {
    readonly _tag: "NotOpened"
    readonly call: number
    readonly reason: "no_port" | "bad_address"
    readonly detail: string
  }
  | { readonly _tag: "Closed"; readonly call: number }
  | WheelTurn

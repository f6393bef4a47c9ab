import { Effect } from "effect"
import { type AudioCodecs, ClipRefused, CodecUnavailable } from "./AudioCodecs.js"

/** The codecs that need no library. */
export const plainCodecs: (typeof AudioCodecs)["Service"] = {
  written: [],
  encoder: ({ codec }) => new CodecUnavailable({ codec, message: "Not yet" }),
  encode: (_, { codec }) => new CodecUnavailable({ codec, message: "Not yet" }),
  decode: () => Effect.fail(new ClipRefused({ reason: "unreadable", message: "Not yet" }))
}

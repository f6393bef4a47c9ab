import { Effect, Layer } from "effect"
import { Transcriber } from "../ports/Transcriber.js"
import { textsIn } from "./ModemHearing.js"

/**
 * Hears what the modem voice says, exactly, whatever telephones, codecs and changes of pace between 0.5 and 2 did to it.
 * Texts that were spoken one after the other are joined by a space; anything else is heard as silence.
 */
export const modemTranscriber = Layer.succeed(Transcriber, {
  available: true,
  transcribe: (sound) => Effect.map(textsIn(sound), (texts) => texts.filter((text) => text !== "").join(" "))
})

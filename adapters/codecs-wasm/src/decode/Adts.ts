import { AacDecoder } from "../aac/AacDecoder.js"
import { adtsFrameAt } from "../aac/Adts.js"
import { afterTag } from "./AfterTag.js"
import type { Intake } from "./Intake.js"
import { Unreadable } from "./Unreadable.js"

/** Reads ADTS, as far as it goes. The first block is left out: it only leads to the next one. */
export const decodeAdts = async (file: Uint8Array, intake: Intake): Promise<void> => {
  const bytes = afterTag(file)
  let decoder: AacDecoder | null = null
  let blocks = 0
  for (let frame = adtsFrameAt(bytes, 0); frame !== null; frame = adtsFrameAt(bytes, frame.next)) {
    decoder ??= new AacDecoder(frame.config)
    for (let block = 0; block < frame.blocks; block++) {
      const channels = decoder.block(frame.bits)
      blocks += 1
      if (blocks > 1 && !intake.add(channels, frame.config.rate)) return
    }
  }
  if (blocks === 0) throw new Unreadable("It holds no AAC")
}

import type { Intake } from "./Intake.js"
import { piecesOf } from "./Pieces.js"
import { Unreadable } from "./Unreadable.js"

/** At 8 kbit/s they hold three seconds. */
const pieceBytes = 2_048

/** Reads MP3 by mpg123, with what encoders add at its ends: not every file tells how much that is. */
export const decodeMp3 = async (bytes: Uint8Array, intake: Intake): Promise<void> => {
  const { MPEGDecoder } = await import("mpg123-decoder")
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  try {
    let samples = 0
    for (const piece of piecesOf(bytes, pieceBytes)) {
      const { channelData, sampleRate, samplesDecoded } = decoder.decode(piece)
      samples += samplesDecoded
      if (!intake.add(channelData, sampleRate)) return
    }
    if (bytes.length > 0 && samples === 0) throw new Unreadable("It holds no MP3")
  } finally {
    decoder.free()
  }
}

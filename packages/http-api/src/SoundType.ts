import type { AudioFormat, StreamCodec } from "@trunkline/audio"

/** The content type of streamed sound (shapes 8.2). */
export const soundType = ({ codec, rate }: AudioFormat<StreamCodec>): string => {
  switch (codec) {
    case "mp3":
      return "audio/mpeg"
    case "wav":
      return "audio/wav"
    case "linear16":
      return `audio/L16; rate=${rate}; channels=1`
    case "mulaw":
      return rate === 8000 ? "audio/basic" : `audio/x-mulaw; rate=${rate}`
    case "alaw":
      return `audio/x-alaw; rate=${rate}`
  }
}

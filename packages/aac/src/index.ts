export { type AacConfig, type AdtsFrame, adtsFrames, parseAudioSpecificConfig } from "./AacConfig.js"
export { AacDecoder } from "./AacDecoder.js"
export { AacError, BitReader } from "./BitReader.js"
export type { Bands, BandsOfRate } from "./Windows.js"

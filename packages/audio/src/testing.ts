export * from "./codecs/AudioCodecs.laws.js"
export * from "./codecs/Tones.js"

export * from "./codecs/AudioCodecs.js"
export * from "./codecs/AudioFormat.js"
export * from "./Sound.js"

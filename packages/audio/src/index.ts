export { type Span, speechShare, speechSpans, speechStart, trimSilence } from "./activity/SpeechSpans.js"
export {
  type FrameActivity,
  makeVoiceActivityDetector,
  type VoiceActivityDetector,
  type VoiceActivityOptions,
  type VoiceJudge
} from "./activity/VoiceActivity.js"
export { VoiceActivityDetection } from "./activity/VoiceActivityDetection.js"
export { AudioCodecs, type AudioEncoder, type PlainCodec, plainCodecs } from "./codecs/AudioCodecs.js"
export { type ClipFormat, detectFormat } from "./codecs/ClipFormat.js"
export { detectHeaderlessCodec, type HeaderlessCodec } from "./codecs/Headerless.js"
export { callWavFrameBytes, callWavHeader, callWavHeaderBytes, mulawSilence, writeCallFrames } from "./files/CallWav.js"
export { isWav, readWav, wavFrames, wavHeader, wavHeaderBytes } from "./files/Wav.js"
export { frameMillis, frameSamples } from "./Frame.js"
export { type G722Decoder, type G722Encoder, makeG722Decoder, makeG722Encoder } from "./g722/G722.js"
export { makeRateDoubler, makeRateHalver, type RateChange } from "./g722/RateChanges.js"
export { isAudible, withoutSilence } from "./levels/Audibility.js"
export { type Levels, levelsOf } from "./levels/Levels.js"
export {
  AudioCodec,
  type AudioFormat,
  Bitrate,
  type Clip,
  type ClipHint,
  ClipRejected,
  CodecsBusy,
  CodecUnavailable,
  SampleRate,
  StreamCodec
} from "./pcm/AudioFormat.js"
export { decodeFrames, type Frames, type SampleEncoding, sampleSize } from "./pcm/Frames.js"
export { alaw, fromLinear16, fromPcm16, type G711, mulaw, toLinear16, toPcm16 } from "./pcm/SampleFormats.js"
export { medianPitch } from "./pitch/MedianPitch.js"
export { syllableRate } from "./pitch/SyllableRate.js"
export { makePlayout, type Playout } from "./playout/Playout.js"
export { makeResampler, type ResamplerOptions } from "./resample/Resampler.js"
export { type Audio, type AudioProcessor, concatSamples, durationOf, padSilence } from "./Sound.js"
export { makeBestMatch, type Search } from "./stretch/BestMatch.js"
export { makeStretcher, type StretchOptions } from "./stretch/Stretcher.js"
export { type ExchangeTone, type ExchangeToneDetector, makeExchangeToneDetector } from "./tones/ExchangeTones.js"
export { type FrameTone, type Tone } from "./tones/FrameTone.js"
export { makeSteadyToneDetector, type SteadyTone, type SteadyToneDetector } from "./tones/SteadyTone.js"

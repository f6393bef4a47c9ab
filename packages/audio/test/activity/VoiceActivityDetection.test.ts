import { VoiceActivityDetection } from "@trunkline/audio"
import { voiceActivityLaws } from "@trunkline/audio/testing"
import { voiceOf } from "../Voice.js"

voiceActivityLaws("energy", VoiceActivityDetection.layerEnergy, {
  voiceAt: (rate) => voiceOf({ rate, seconds: 1.5, hertz: 130, syllables: 4 }).samples
})

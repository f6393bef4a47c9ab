import { virtualTest } from "@trunkline/kernel/testing"
import { makeSimulatedAudioLine } from "../src/index.js"
import { audioLineLaws } from "../src/testing.js"

audioLineLaws("simulated, 8 kHz", makeSimulatedAudioLine(), virtualTest)
audioLineLaws("simulated, 16 kHz", makeSimulatedAudioLine({ rate: 16_000 }), virtualTest)

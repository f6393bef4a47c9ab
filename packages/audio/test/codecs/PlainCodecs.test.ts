import { AudioCodecs } from "@trunkline/audio"
import { audioCodecsLaws } from "@trunkline/audio/testing"

audioCodecsLaws("plain", AudioCodecs.layerPlain, { codecs: ["wav", "linear16", "mulaw", "alaw"] })

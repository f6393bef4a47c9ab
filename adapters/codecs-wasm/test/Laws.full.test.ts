import { AudioCodec } from "@trunkline/audio"
import { audioCodecsLaws } from "@trunkline/audio/testing"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"

audioCodecsLaws("wasm", AudioCodecsWasm.layer(), { codecs: AudioCodec.literals })

import { modemTranscriber, modemVoice } from "@trunkline/speech"
import { synthesizerLaws, transcriberLaws } from "@trunkline/speech/testing"
import { spokenBy } from "./ModemSpeech.js"

synthesizerLaws("modem", modemVoice())
synthesizerLaws("modem that changes its pace", modemVoice({ controls: ["pace"], nativeRate: 16_000 }))
transcriberLaws("modem", modemTranscriber, { say: (text, nativeRate) => spokenBy({ nativeRate })(text) })

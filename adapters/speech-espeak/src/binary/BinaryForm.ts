import type { EngineForm } from "../engine/Engine.js"
import { beginProcess } from "./EspeakProcess.js"
import type { FoundBinary } from "./FindBinary.js"

/** espeak as a program: a process for each utterance. */
export const binaryForm = ({ binary, english }: FoundBinary, limit: number): EngineForm => ({
  english,
  begin: (speaking, onGone) => beginProcess(speaking, { binary, limit, onGone })
})

import type { LanguageModel } from "../LanguageModel.js"

/** Something that answers: the two ways of the port. */
export type Model = LanguageModel["Type"]

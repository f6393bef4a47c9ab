import type { AnsweredBy } from "@trunkline/kernel"

/** Something that answers a call with words. */
export interface Greeting {
  readonly by: Extract<AnsweredBy, "person" | "machine" | "screening" | "ivr">
  readonly language: "en" | "hi"
  readonly text: string
}

/** Greetings of one kind in English, or in Hindi and Hinglish, which the Hindi voice reads in its own letters. */
export const listOf = (
  by: Greeting["by"],
  language: Greeting["language"],
  texts: ReadonlyArray<string>
): ReadonlyArray<Greeting> => texts.map((text) => ({ by, language, text }))

/**
 * Part of the corpus. Rules are written by what goes wrong in `development`. The texts and voices of `final` are used for the
 * published figures alone.
 */
export type AnswerPart = "development" | "final"

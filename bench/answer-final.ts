import type { Greeting } from "./answer-texts.js"

/** Greetings that no rule was written or changed for: they were written after the rules. */
export const finalGreetings: ReadonlyArray<Greeting> = []

import type { Greeting } from "./answer-texts.js"

export const finalGreetings: ReadonlyArray<Greeting> = []

import { ModelFailed, ModelRateLimited, ModelTimedOut, ModelUnavailable } from "@trunkline/errors"
import { messageText } from "@trunkline/models"
import { allOf, type Matcher, type ScriptedRule, toolAnswered, userSays } from "@trunkline/scripted-model"
import { Duration } from "effect"

/** Prompt that makes the model fail, for each failure. */
export const failing = {
  limited: "Be limited",
  unavailable: "Be out of service",
  failed: "Fail",
  late: "Be late",
  broken: "Break after two words"
} as const

/** Somebody said this before. */
const saidBefore = (role: "system" | "assistant", words: string): Matcher => ({ request: { messages } }) =>
  messages.some((message) => message.role === role && messageText(message).includes(words))

/** The conversations that every client is tried with. */
export const script: ReadonlyArray<ScriptedRule> = [
  { when: userSays("count to three"), reply: "One, two, three." },
  { when: userSays("my name is Asha"), reply: "Hello Asha." },
  {
    when: allOf(userSays("Who am I?"), saidBefore("system", "Be kind."), saidBefore("assistant", "Hello Asha.")),
    reply: "You are Asha."
  },
  { when: userSays("Is it warm there?"), toolCall: { name: "find_city", arguments: { name: "Asha" } } },
  { when: toolAnswered("find_city"), toolCall: { name: "get_weather", arguments: { city: "Pune" } } },
  { when: toolAnswered("get_weather"), reply: "Found: {{result}}" },
  {
    when: userSays(failing.limited),
    error: new ModelRateLimited({ message: "Enough for now", retryAfter: Duration.seconds(7) })
  },
  { when: userSays(failing.unavailable), error: new ModelUnavailable({ message: "Out of service" }) },
  { when: userSays(failing.failed), error: new ModelFailed({ message: "It failed" }) },
  { when: userSays(failing.late), error: new ModelTimedOut({ message: "It took too long" }) },
  {
    when: userSays(failing.broken),
    reply: "One, two, three.",
    failsAfter: 2,
    error: new ModelUnavailable({ message: "It broke off" })
  }
]

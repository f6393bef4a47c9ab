import type { Effort, ModelFacts, ModelRequest } from "@trunkline/models"
import { pickWording, type Wordings } from "./Phrases.js"
import type { ScriptedTurn } from "./ScriptedTurn.js"
import { truncate } from "./Text.js"

/** Number of sentences per reasoning effort. */
const sentencesOf: Readonly<Record<Effort, number>> = { low: 2, medium: 3, high: 5, max: 7 }

/** Quoted text of the user, in UTF-16 units, and number of named tools. */
const max = { units: 120, tools: 5 }

/**
 * Determines the reasoning effort of a request; null for none. A model whose thinking cannot be disabled uses `low`
 * when asked not to think, `max` by default, and none before JSON or a strict schema.
 */
export const effortOf = ({ effort, format }: ModelRequest, facts: ModelFacts | undefined): Effort | null => {
  switch (facts?.thinking.when) {
    case "always": {
      const plainly = format?.type === "json" || (format?.type === "schema" && format.strict)
      return plainly ? null : effort === null ? "low" : effort ?? "max"
    }
    case "usually":
      return effort === undefined ? "medium" : effort
    default:
      return null
  }
}

const observation = ({ toolResult, userText }: ScriptedTurn): Wordings => {
  if (toolResult !== null) {
    return ["A tool has answered.", "There is a result to look at.", "Now I know what the tool found."]
  }
  const words = truncate(userText.trim(), max.units)
  return words === ""
    ? ["Nobody has asked anything yet.", "There are no words to go by.", "I have not been told anything so far."]
    : [`The user says "${words}".`, `I am looking at these words: "${words}".`, `This is what I was told: "${words}".`]
}

const formatThought = ({ request: { format } }: ScriptedTurn): Wordings => {
  switch (format?.type) {
    case "json":
      return ["The answer has to be a JSON object.", "It must be JSON, nothing else.", "I have to write a JSON object."]
    case "schema":
      return ["The answer has to follow a schema.", "There is a schema to keep to.", "I have to fill in a schema."]
    default:
      return ["A few plain words will do.", "A short answer is best.", "I can put it briefly."]
  }
}

const toolThought = ({ request: { toolChoice, tools = [] } }: ScriptedTurn): Wordings => {
  const names = tools.slice(0, max.tools).map(({ name }) => truncate(name, max.units)).join(", ")
  return names === "" || toolChoice === "none"
    ? ["There are no tools to ask.", "I have to do without tools.", "No tool can help me here."]
    : [`I could ask for ${names}.`, `These tools are at hand: ${names}.`, `Perhaps one of these helps: ${names}.`]
}

/** Writes the thoughts before an answer; a higher effort gives more of them. */
export const reasoningFor = (turn: ScriptedTurn, effort: Effort): string => {
  const count = turn.request.messages.length
  const sentences: ReadonlyArray<Wordings> = [
    observation(turn),
    formatThought(turn),
    toolThought(turn),
    [`The conversation has ${count} messages so far.`, `I go through all ${count} messages once more.`],
    ["I must not claim what I do not know.", "Whatever I say has to come from what I was told."],
    ["Is there another way to read this? I do not think so.", "I look for another meaning, and find none."],
    ["Then this is what I will say.", "I am ready to answer.", "So much for thinking; here is the answer."]
  ]
  return sentences.slice(0, sentencesOf[effort]).map((wordings) => pickWording(wordings, turn.request.sampling?.seed))
    .join(
      " "
    )
}

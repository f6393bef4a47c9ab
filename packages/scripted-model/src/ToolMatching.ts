import type { Message, ModelRequest, ModelTool } from "@trunkline/models"
import { excerpt, truncate } from "./Text.js"

/** Limits: tools that are considered, UTF-16 units of a name or description, and parallel calls. */
const max = { tools: 128, units: 600, atOnce: 4 }

/** Default score that a tool needs: one word of its name, or two of its description. */
const enough = 2

/** Messages that are searched for earlier calls. */
const maxMessages = 200

/** Stop words, which say nothing about a tool's purpose. */
const emptyWords = new Set(
  `a about all am an and any are as at be by call can check could create current data do does fetch find for from
  function get give given has have help how i if in info information into is it its let list look lookup make me my need
  new of on one or our out please query result return run send set should show some take tell that the their there this
  to tool up us use user using value want was we what when where which who will with would you your`.split(/\s+/)
)

/** Extracts the significant words of a text, without plural s; camel case is split. */
const contentWords = (text: string): ReadonlySet<string> =>
  new Set(
    (text.normalize("NFC").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
      .filter((word) => word.length > 1 && !emptyWords.has(word))
      .map((word) => word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word)
  )

interface Match {
  readonly tool: ModelTool
  readonly points: number
  /** Words of its name that the user mentions. */
  readonly nameWords: ReadonlyArray<string>
}

const matchOf = (tool: ModelTool, userWords: ReadonlySet<string>): Match => {
  const name = contentWords(truncate(tool.name, max.units))
  const description = contentWords(truncate(tool.description ?? "", max.units))
  const nameWords = [...name].filter((word) => userWords.has(word))
  const describedWords = [...description].filter((word) => userWords.has(word) && !name.has(word))
  return { tool, nameWords, points: nameWords.length * 2 + describedWords.length }
}

const namesAskedFor = (messages: ReadonlyArray<Message>): ReadonlySet<string> => {
  const recent = messages.slice(-maxMessages)
  return new Set(
    recent.slice(recent.findLastIndex(({ role }) => role === "user") + 1)
      .flatMap((message) => message.role === "assistant" ? message.toolRequests.map(({ name }) => name) : [])
  )
}

/**
 * Finds the tools that match a user's message, best first. A word of a tool's name scores two points and one of its
 * description one; a tool needs two by default, and stop words such as "get" do not count. A further tool needs a word
 * of its name that matches no better tool. Tools that were called since the user's last message do not match again, and
 * keep their words.
 */
export const matchingTools = (
  request: ModelRequest,
  userText: string,
  minPoints: number = enough
): ReadonlyArray<ModelTool> => {
  const userWords = contentWords(excerpt(userText))
  if (userWords.size === 0) return []
  const names = namesAskedFor(request.messages)
  const matches = (request.tools ?? []).slice(0, max.tools).map((tool) => matchOf(tool, userWords))
    .filter(({ points }) => points >= minPoints)
    .toSorted((a, b) => b.points - a.points)
  const before = matches.filter(({ tool }) => names.has(tool.name))
  const usedWords = new Set(before.flatMap(({ nameWords }) => nameWords))
  const chosenTools: Array<ModelTool> = []
  for (const { nameWords, tool } of matches) {
    const isFirst = before.length + chosenTools.length === 0
    if (names.has(tool.name) || (!isFirst && nameWords.every((word) => usedWords.has(word)))) continue
    for (const word of nameWords) usedWords.add(word)
    chosenTools.push(tool)
  }
  return chosenTools.slice(0, max.atOnce)
}

import type { Issue } from "@trunkline/errors"
import { type Content, type ContentPart, inlineImage, type Message, type ToolRequest, wordsOf } from "@trunkline/models"
import { Either } from "effect"
import type { InputItem, InputPart } from "../body/InputItem.js"

/** What was said before, as a model reads it, and what is wrong with it beyond its form. */
export interface Conversation {
  readonly messages: ReadonlyArray<Message>
  readonly issues: ReadonlyArray<Issue>
}

/** What the model put out at once: its thoughts, its words and the tools that it asked for. */
interface Turn {
  readonly role: "assistant"
  content: string | null
  reasoning?: string
  readonly toolRequests: Array<ToolRequest>
}

type Loc = Issue["loc"]
type Wrong = (loc: Loc, msg: string) => void

/** Paragraphs. Adding one copies nothing, so that many of them take no longer than their length. */
const joined = (before: string, text: string) => before === "" || text === "" ? before + text : `${before}\n\n${text}`

const onlySeen = "Images may stand in messages of the user and in results of tools"

/** Content in no provider's words. `noImages` says why there can be no images; null where there can. */
const contentOf = (
  content: string | ReadonlyArray<InputPart>,
  { loc, noImages, wrong }: { readonly loc: Loc; readonly noImages: string | null; readonly wrong: Wrong }
): Content => {
  if (typeof content === "string") return content
  const parts = content.flatMap((part, index): ReadonlyArray<ContentPart> => {
    if (part.type === "refusal") return [{ type: "text", text: part.refusal }]
    if (part.type !== "input_image") return [{ type: "text", text: part.text }]
    const image = noImages === null ? inlineImage(part.image_url) : Either.left(noImages)
    if (Either.isRight(image)) return [{ ...image.right, ...(part.detail != null && { detail: part.detail }) }]
    wrong([...loc, index, "image_url"], image.left)
    return []
  })
  const [first] = parts
  return parts.length === 1 && first?.type === "text" ? first.text : parts
}

/**
 * Reads a conversation. What the model put out between two words of others becomes one message: its reasoning, its text
 * and all tools that it asked for. Reasoning that nothing of the model follows is left out.
 */
export const conversationOf = (
  items: ReadonlyArray<InputItem>,
  { instructions, locOf, noImages }: {
    /** What the model is told first; it may be empty. */
    readonly instructions: string
    /** Where an item stands in the request. */
    readonly locOf: (index: number) => Loc
    /** Why the model takes no images; null when it does. */
    readonly noImages: string | null
  }
): Conversation => {
  const messages: Array<Message> = instructions === "" ? [] : [{ role: "system", content: instructions }]
  const issues: Array<Issue> = []
  const toolNames = new Map<string, string>()
  let turn: Turn | null = null
  let thoughts = ""

  const wrong: Wrong = (loc, msg) => issues.push({ loc, msg, type: "value_error" })

  /** The turn that something of the model belongs to, with the thoughts that led to it. */
  const turnFor = ({ text }: { readonly text: boolean }): Turn => {
    if (turn === null || (text && turn.content !== null)) {
      turn = { role: "assistant", content: null, toolRequests: [] }
      messages.push(turn)
    }
    if (thoughts !== "") turn.reasoning = joined(turn.reasoning ?? "", thoughts)
    thoughts = ""
    return turn
  }

  const others = (message: Message) => {
    messages.push(message)
    turn = null
    thoughts = ""
  }

  const result = (item: Extract<InputItem, { type: "function_call_output" }>, loc: Loc) => {
    const name = toolNames.get(item.call_id)
    if (name === undefined) return wrong([...loc, "call_id"], "No earlier function_call has this call_id")
    const content = contentOf(item.output, { loc: [...loc, "output"], noImages, wrong })
    others({ role: "tool", toolRequestId: item.call_id, name, content })
  }

  const said = (item: Extract<InputItem, { role: string }>, loc: Loc) => {
    const isUsers = item.role === "user"
    const content = contentOf(item.content, {
      loc: [...loc, "content"],
      noImages: isUsers ? noImages : onlySeen,
      wrong
    })
    if (isUsers) return others({ role: "user", content })
    if (item.role !== "assistant") return others({ role: "system", content: wordsOf(content) })
    turnFor({ text: true }).content = wordsOf(content)
  }

  const read = (item: InputItem, loc: Loc): void => {
    switch (item.type) {
      case "function_call": {
        const { arguments: text, call_id: id, name } = item
        toolNames.set(id, name)
        turnFor({ text: false }).toolRequests.push({ id, name, arguments: text })
        break
      }
      case "function_call_output":
        return result(item, loc)
      case "reasoning":
        for (const { text } of item.summary) thoughts = joined(thoughts, text)
        break
      default:
        return said(item, loc)
    }
  }

  for (const [index, item] of items.entries()) read(item, locOf(index))
  return { messages, issues }
}

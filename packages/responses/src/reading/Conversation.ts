import type { Issue } from "@trunkline/errors"
import {
  type Content,
  type ContentPart,
  contentText,
  inlineImage,
  type Message,
  type ToolRequest
} from "@trunkline/models"
import { Either } from "effect"
import type { InputItem, InputPart } from "../body/Input.js"

/** The messages of a conversation in the form of `@trunkline/models`, and its issues. */
interface Conversation {
  readonly messages: ReadonlyArray<Message>
  readonly issues: ReadonlyArray<Issue>
}

/** One turn of the model: its reasoning, its text and its tool calls. */
interface Turn {
  readonly role: "assistant"
  content: string | null
  reasoning?: string
  readonly toolRequests: Array<ToolRequest>
}

type Loc = Issue["loc"]
type Report = (loc: Loc, msg: string) => void

/** Joins paragraphs. Concatenation copies nothing in V8, so that many paragraphs take linear time. */
const joinParagraphs = (before: string, text: string) =>
  before === "" || text === "" ? before + text : `${before}\n\n${text}`

const wrongPlaceForImage = "Images may stand in messages of the user and in results of tools"

/** Converts content. `noImages` is the reason why it may not contain images; null when it may. */
const toContent = (
  content: string | ReadonlyArray<InputPart>,
  { loc, noImages, report }: { readonly loc: Loc; readonly noImages: string | null; readonly report: Report }
): Content => {
  if (typeof content === "string") return content
  const parts = content.flatMap((part, index): ReadonlyArray<ContentPart> => {
    if (part.type === "refusal") return [{ type: "text", text: part.refusal }]
    if (part.type !== "input_image") return [{ type: "text", text: part.text }]
    const image = noImages === null ? inlineImage(part.image_url) : Either.left(noImages)
    if (Either.isRight(image)) return [{ ...image.right, ...(part.detail != null && { detail: part.detail }) }]
    report([...loc, index, "image_url"], image.left)
    return []
  })
  const [first] = parts
  return parts.length === 1 && first?.type === "text" ? first.text : parts
}

/**
 * Converts the items of a conversation to messages. Consecutive items of the model become one message with its
 * reasoning, its text and all its tool calls. Reasoning without a text or a call after it is dropped.
 */
export const readConversation = (
  items: ReadonlyArray<InputItem>,
  { instructions, locOf, noImages }: {
    /** Text of the first system message; none when empty. */
    readonly instructions: string
    /** The location of an item in the body. */
    readonly locOf: (index: number) => Loc
    /** The reason why the model takes no images; null when it does. */
    readonly noImages: string | null
  }
): Conversation => {
  const messages: Array<Message> = instructions === "" ? [] : [{ role: "system", content: instructions }]
  const issues: Array<Issue> = []
  const toolNames = new Map<string, string>()
  let turn: Turn | null = null
  let pendingReasoning = ""

  const report: Report = (loc, msg) => issues.push({ loc, msg, type: "value_error" })

  /** The turn that the next text or call belongs to, with the reasoning before it. A turn has at most one text. */
  const turnFor = ({ text }: { readonly text: boolean }): Turn => {
    if (turn === null || (text && turn.content !== null)) {
      turn = { role: "assistant", content: null, toolRequests: [] }
      messages.push(turn)
    }
    if (pendingReasoning !== "") turn.reasoning = joinParagraphs(turn.reasoning ?? "", pendingReasoning)
    pendingReasoning = ""
    return turn
  }

  const addOther = (message: Message) => {
    messages.push(message)
    turn = null
    pendingReasoning = ""
  }

  const readResult = (item: Extract<InputItem, { type: "function_call_output" }>, loc: Loc) => {
    const name = toolNames.get(item.call_id)
    if (name === undefined) return report([...loc, "call_id"], "No earlier function_call has this call_id")
    const content = toContent(item.output, { loc: [...loc, "output"], noImages, report })
    addOther({ role: "tool", toolRequestId: item.call_id, name, content })
  }

  const readMessage = (item: Extract<InputItem, { role: string }>, loc: Loc) => {
    const isFromUser = item.role === "user"
    const content = toContent(item.content, {
      loc: [...loc, "content"],
      noImages: isFromUser ? noImages : wrongPlaceForImage,
      report
    })
    if (isFromUser) return addOther({ role: "user", content })
    if (item.role !== "assistant") return addOther({ role: "system", content: contentText(content) })
    turnFor({ text: true }).content = contentText(content)
  }

  const readItem = (item: InputItem, loc: Loc): void => {
    switch (item.type) {
      case "function_call": {
        const { arguments: text, call_id: id, name } = item
        toolNames.set(id, name)
        turnFor({ text: false }).toolRequests.push({ id, name, arguments: text })
        break
      }
      case "function_call_output":
        return readResult(item, loc)
      case "reasoning":
        for (const { text } of item.summary) pendingReasoning = joinParagraphs(pendingReasoning, text)
        break
      default:
        return readMessage(item, loc)
    }
  }

  for (const [index, item] of items.entries()) readItem(item, locOf(index))
  return { messages, issues }
}

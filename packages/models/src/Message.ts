/** A piece of what a user sends or a tool finds. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image"
    /** Such as `image/png`. */
    readonly mediaType: string
    readonly base64: string
    readonly detail?: "auto" | "low" | "high"
  }

/** Words, or words and images. */
export type Content = string | ReadonlyArray<ContentPart>

/** A tool that the model wants carried out; `arguments` is JSON text, as the model wrote it. */
export interface ToolRequest {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** What stands in a conversation with a language model. `other` is for roles that only the model itself knows. */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: Content; readonly name?: string }
  | {
    readonly role: "assistant"
    readonly content: string | null
    readonly toolRequests: ReadonlyArray<ToolRequest>
    /** What it had thought. */
    readonly reasoning?: string
    readonly name?: string
  }
  /** `name` is the tool's; empty where it is not known. */
  | { readonly role: "tool"; readonly toolRequestId: string; readonly name: string; readonly content: Content }
  | { readonly role: "other"; readonly as: string; readonly content: Content; readonly name?: string }

/** The words of content, without images. */
export const wordsOf = (content: Content | null): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.type === "text" ? part.text : "").join("")

/** The words of a message, without images and tool requests. */
export const textOf = ({ content }: Message): string => wordsOf(content)

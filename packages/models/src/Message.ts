/** A part of a user's message or a tool's result. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image"
    /** Such as `image/png`. */
    readonly mediaType: string
    readonly base64: string
    readonly detail?: "auto" | "low" | "high"
  }

/** Text, or text and images. */
export type Content = string | ReadonlyArray<ContentPart>

/** A tool call of the model; `arguments` is JSON text exactly as the model wrote it. */
export interface ToolRequest {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** A message of a conversation. `other` is for roles that only the model knows. */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: Content; readonly name?: string }
  | {
    readonly role: "assistant"
    readonly content: string | null
    readonly toolRequests: ReadonlyArray<ToolRequest>
    /** The thoughts that led to it. */
    readonly reasoning?: string
    readonly name?: string
  }
  /** `name` is the tool's; empty if unknown. */
  | { readonly role: "tool"; readonly toolRequestId: string; readonly name: string; readonly content: Content }
  | { readonly role: "other"; readonly as: string; readonly content: Content; readonly name?: string }

/** Returns the text of content, without images. */
export const contentText = (content: Content | null): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.type === "text" ? part.text : "").join("")

/** Returns the text of a message, without images and tool requests. */
export const messageText = ({ content }: Message): string => contentText(content)

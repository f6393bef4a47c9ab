/** A piece of what a user sends. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly base64: string }

/** A tool that the model wants carried out; `arguments` is JSON text, as the model wrote it. */
export interface ToolRequest {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** What stands in a conversation with a language model. */
export type Message =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | ReadonlyArray<ContentPart> }
  | { readonly role: "assistant"; readonly content: string | null; readonly toolRequests: ReadonlyArray<ToolRequest> }
  | { readonly role: "tool"; readonly toolRequestId: string; readonly name: string; readonly content: string }

/** The words of a message, without images and tool requests. */
export const textOf = ({ content }: Message): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.type === "text" ? part.text : "").join("")

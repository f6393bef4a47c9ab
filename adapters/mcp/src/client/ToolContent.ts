/** A block of a result: its type, and a text where it has one. */
interface Block {
  readonly type: string
  readonly text?: unknown
  readonly data?: unknown
  readonly mimeType?: unknown
  readonly uri?: unknown
  readonly name?: unknown
  readonly resource?: unknown
}

/** The result of a tool of an MCP server, as far as it is read here. */
export interface McpResult {
  readonly content?: ReadonlyArray<Block> | undefined
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

/** Size of base64 data in kB. */
const kilobytes = (data: unknown): number => typeof data === "string" ? Math.ceil(data.length * 3 / 4 / 1_024) : 0

const textOfBlock = (block: Block): string => {
  switch (block.type) {
    case "text":
      return String(block.text ?? "")
    case "image":
    case "audio":
      return `[${block.type} ${String(block.mimeType ?? "")}, ${
        kilobytes(block.data)
      } kB, which cannot be told on the phone]`
    case "resource_link":
      return `[link ${String(block.name ?? "")}: ${String(block.uri ?? "")}]`
    case "resource":
      return String(fieldOf(block.resource, "text") ?? "[a file, which cannot be told on the phone]")
    default:
      return `[${block.type}]`
  }
}

/** A text up to a length, with a mark where it was cut. */
export const bounded = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (cut, of ${text.length} characters)`

/** Text of a result for the model: its texts, or its structured content in JSON. */
export const contentOf = ({ content = [], structuredContent }: McpResult, maxLength: number): string => {
  const text = content.map(textOfBlock).filter((part) => part !== "").join("\n")
  const toldText = text !== "" ? text : structuredContent === undefined ? "Done." : JSON.stringify(structuredContent)
  return bounded(toldText, maxLength)
}

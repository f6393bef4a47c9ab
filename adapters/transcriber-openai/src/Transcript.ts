import { Option, Schema } from "effect"

const decodeAnswer = Schema.decodeOption(Schema.parseJson(Schema.Struct({ text: Schema.String })))

const decodeText = (bytes: Uint8Array): Option.Option<string> => {
  try {
    return Option.some(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return Option.none()
  }
}

/**
 * The words in an answer, with single spaces between them; none where it is no transcript. `isText` says that bare text
 * was asked for; some servers answer with JSON all the same.
 */
export const transcriptIn = (
  bytes: Uint8Array,
  { isText, type }: { readonly isText: boolean; readonly type: string }
): Option.Option<string> =>
  decodeText(bytes).pipe(
    Option.flatMap((said) => {
      if (!isText || type.includes("json")) return Option.map(decodeAnswer(said), ({ text }) => text)
      return /html|xml/.test(type) ? Option.none() : Option.some(said)
    }),
    Option.map((text) => text.replace(/\s+/gu, " ").trim())
  )

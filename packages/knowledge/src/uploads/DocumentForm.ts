import { type BodyTooLarge, Invalid, type Issue, issuesOf, joinIssues, unknownField } from "@trunkline/errors"
import { collectBytes, withinLimit } from "@trunkline/kernel"
import { LanguageName } from "@trunkline/spoken-text"
import { Array as Arrays, Effect, Option, Schema, type Stream, Struct } from "effect"
import type { NewDocument } from "../Knowledge.js"
import type { DocumentFile } from "../reading/DocumentFile.js"
import { CollectionName, DocumentName } from "../records/KnowledgeDocument.js"
import { knowledgeLimits } from "../records/KnowledgeLimits.js"

/** The fields of a form that adds a document, beside the file. */
export const DocumentFields = Schema.Struct({
  /** Collection by which agents find it; `main` by default. */
  collection: Schema.optionalWith(CollectionName, { exact: true, default: () => "main" }),
  /** Title that callers could be told; by default that of the file, else its source. */
  title: Schema.optionalWith(DocumentName, { exact: true }),
  /** Where it comes from, such as a URL; by default the name of the file. The same source again replaces the document. */
  source: Schema.optionalWith(DocumentName, { exact: true }),
  /** Language by its English name or its code, such as `Hindi` or `hi-IN`. */
  language: Schema.optionalWith(LanguageName, { exact: true })
})

/** One part of a multipart form. Its content must be consumed, if at all, before the next part is requested. */
export interface DocumentFormPart<E> {
  readonly name: string
  /** The file name; null for a plain field. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly content: Stream.Stream<Uint8Array, E>
}

/** The form that adds a document, as a sequence of parts in any order. */
export interface DocumentForm<E> {
  /** Pulls the next part; none after the last. */
  readonly next: Effect.Effect<Option.Option<DocumentFormPart<E>>, E>
}

const names = Struct.keys(DocumentFields.fields)

/** Largest plain field in bytes: more than any may have, so that its own rule reports one that is too long. */
const fieldBytes = 16_384

const decodeFields = Schema.decodeUnknown(DocumentFields, { errors: "all" })

const decoder = new TextDecoder()

const missing = { loc: ["body", "file"], msg: "This field is required", type: "missing" } as const

/** Names that clients give to bytes without a name. */
const nameless = ["", "file", "blob"]

/** The name of a file without the folders that some clients send; null where a client had none. */
const baseName = (filename: string | null): string | null => {
  const name = filename?.split(/[/\\]/).at(-1)?.slice(0, knowledgeLimits.name) ?? ""
  return nameless.includes(name) ? null : name
}

/** Reads the form that adds a document. Fails with `Invalid` on bad, missing or unknown fields. */
export const readDocumentForm = <E>(form: DocumentForm<E>): Effect.Effect<NewDocument, E | Invalid | BodyTooLarge> =>
  Effect.gen(function*() {
    const texts = new Map<string, string>()
    const issues: Array<Issue> = []
    let file: DocumentFile | null = null
    for (;;) {
      const next = yield* form.next
      if (Option.isNone(next)) break
      const { content, contentType, filename, name } = next.value
      if (name === "file") {
        const bytes = yield* collectBytes(withinLimit(content, knowledgeLimits.fileBytes))
        file = { bytes, contentType, filename: baseName(filename) }
      } else if (names.some((knownText) => knownText === name)) {
        const text = decoder.decode(yield* collectBytes(withinLimit(content, fieldBytes)))
        // Clients leave optional fields empty.
        if (text !== "") texts.set(name, text)
      } else {
        issues.push({ loc: ["body", name], ...unknownField(name, [...names, "file"]) })
      }
    }
    if (file === null) issues.push(missing)
    const fields = yield* Effect.mapError(decodeFields(Object.fromEntries(texts)), (error) => {
      const [first, ...others] = issuesOf(error, "body")
      return new Invalid({ issues: joinIssues([first, ...others, ...issues]) })
    })
    if (Arrays.isNonEmptyReadonlyArray(issues)) return yield* new Invalid({ issues: joinIssues(issues) })
    if (file === null) return yield* new Invalid({ issues: [missing] })
    const { collection, language = null, source = null, title = null } = fields
    return { collection, file, title, source, language_name: language }
  })

import { OrgId, Scope, WorkspaceId } from "@trunkline/kernel"
import { DateTime } from "effect"
import { DocumentId, KnowledgeDocument, type Passage } from "../records/KnowledgeDocument.js"

/** A workspace of a test. */
export const workspaceOf = (name: string): Scope =>
  new Scope({ org_id: OrgId.make("acme"), workspace_id: WorkspaceId.make(name) })

/** A moment of a test. */
export const second = (value: number): DateTime.Utc =>
  DateTime.unsafeMake({ year: 2026, month: 1, day: 31, hours: 12, seconds: value })

/** A document with a name of its own. */
export const documentNamed = (name: string, change: Partial<KnowledgeDocument> = {}): KnowledgeDocument =>
  new KnowledgeDocument({
    document_id: DocumentId.make(`doc-${name}`),
    collection: "main",
    title: name,
    source: `${name}.md`,
    kind: "markdown",
    language_name: null,
    hash: name,
    bytes: 10,
    pages: null,
    passages: 1,
    created_at: second(0),
    updated_at: second(0),
    ...change
  })

/** A passage without a heading. */
export const passageOf = (text: string, change: Partial<Passage> = {}): Passage => ({
  heading: "",
  page: null,
  text,
  ...change
})

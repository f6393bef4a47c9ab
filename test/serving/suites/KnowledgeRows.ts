import { documentForm } from "../Bodies.js"
import { type Json, workspace } from "../Client.js"

/** Routes of knowledge, each with a valid request. */
export const knowledgeRows = [
  { method: "POST", path: `${workspace}/knowledge/upload`, body: documentForm },
  { method: "POST", path: `${workspace}/knowledge/search`, body: () => ({ question: "When are you open?" }) },
  { method: "GET", path: `${workspace}/knowledge` },
  { method: "GET", path: `${workspace}/knowledge/{document_id}` },
  { method: "DELETE", path: `${workspace}/knowledge/{document_id}` }
]

/** Parts that the form of an upload needs. */
export const neededParts = (path: string): ReadonlyArray<string> =>
  path.endsWith("/knowledge/upload") ? ["file"] : ["name", "cohort_transformation_file", "cohort_file"]

/** Ids of resources, with that of a new document. */
export const withDocument = async (
  made: (path: string, body: unknown) => Promise<Json>,
  ids: Readonly<Record<string, string>>
): Promise<Readonly<Record<string, string>>> => ({
  ...ids,
  document_id: (await made("/knowledge/upload", documentForm())).document_id
})

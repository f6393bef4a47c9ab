import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { emptyAsAbsent, listParameters, pageOf } from "@trunkline/kernel"
import {
  CollectionName,
  DocumentFields,
  DocumentId,
  documentSorts,
  FoundPassage,
  KnowledgeDocument,
  knowledgeLimits,
  maxQuestionLength
} from "@trunkline/knowledge"
import { Schema } from "effect"
import { Error404, Error422, Error503 } from "../errors/ErrorSchemas.js"
import { WorkspaceAdmission } from "./Admission.js"
import {
  BodyLimit,
  type BodySize,
  LimitedBy,
  RouteImportance,
  workspaceParams,
  workspacePrefix
} from "./RouteDeclaration.js"

const File = Schema.Unknown.annotations({ jsonSchema: { type: "string", format: "binary" } })

/** Form that adds a document. The knowledge package parses it part by part. */
const DocumentForm = HttpApiSchema.MultipartStream(Schema.Struct({ ...DocumentFields.fields, file: File }))

/** Largest upload: the file, and the overhead of the form. */
export const documentFormLimit: BodySize = { bytes: knowledgeLimits.fileBytes + 262_144, values: 0 }

/** Response to an upload. */
const AddedDocument = Schema.Struct({
  ...KnowledgeDocument.fields,
  /** `unchanged` when the same file was there already. */
  outcome: Schema.Literal("added", "replaced", "unchanged")
}).annotations({ identifier: "AddedDocument" })

/** Body of a search. */
const KnowledgeSearch = Schema.Struct({
  /** A person's sentence; `"in quotes"` is a phrase, `refund*` the beginning of a word. */
  question: Schema.String.pipe(
    Schema.maxLength(maxQuestionLength),
    Schema.pattern(/\S/, {
      message: () => "Should not be empty"
    })
  ),
  /** Collections to look in; all by default. */
  collections: Schema.optionalWith(Schema.Array(CollectionName).pipe(Schema.minItems(1), Schema.maxItems(16)), {
    exact: true
  }),
  /** Most passages of the answer, 1 to 20; 5 by default. */
  limit: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 20)), { exact: true, default: () => 5 })
}).annotations({ identifier: "KnowledgeSearch" })

/** Response to the removal of a document. */
const DocumentRemoved = Schema.Struct({ document_id: DocumentId, deleted: Schema.Literal(true) }).annotations({
  identifier: "DocumentRemoved"
})

const query = Schema.Struct({
  ...listParameters({ sortable: documentSorts }).fields,
  collection: emptyAsAbsent(CollectionName)
})

const document = Schema.Struct({ ...workspaceParams, document_id: Schema.String })

/** Documents that agents answer from. */
export class KnowledgeGroup extends HttpApiGroup.make("knowledge", { topLevel: true })
  .annotate(OpenApi.Description, "Documents that agents answer from.")
  .add(
    HttpApiEndpoint.post("knowledge.add", "/knowledge/upload")
      .annotate(OpenApi.Summary, "Add a document")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(DocumentForm)
      .addSuccess(AddedDocument)
      .addError(Error422)
      .annotate(LimitedBy, "cohorts")
      .annotate(RouteImportance, "batch")
      .annotate(BodyLimit, documentFormLimit)
  )
  .add(
    HttpApiEndpoint.post("knowledge.search", "/knowledge/search")
      .annotate(OpenApi.Summary, "Search the documents")
      .setPath(Schema.Struct(workspaceParams))
      .setPayload(KnowledgeSearch)
      .addSuccess(Schema.Struct({ items: Schema.Array(FoundPassage) }))
      .addError(Error422)
      .addError(Error503)
  )
  .add(
    HttpApiEndpoint.get("knowledge.list", "/knowledge")
      .annotate(OpenApi.Summary, "List the documents")
      .setPath(Schema.Struct(workspaceParams))
      .setUrlParams(query)
      .addSuccess(pageOf(KnowledgeDocument))
      .addError(Error422)
  )
  .add(
    HttpApiEndpoint.get("knowledge.get", "/knowledge/:document_id")
      .annotate(OpenApi.Summary, "Get a document")
      .setPath(document)
      .addSuccess(KnowledgeDocument)
      .addError(Error404)
  )
  .add(
    HttpApiEndpoint.del("knowledge.remove", "/knowledge/:document_id")
      .annotate(OpenApi.Summary, "Remove a document")
      .setPath(document)
      .addSuccess(DocumentRemoved)
      .addError(Error404)
  )
  .prefix(workspacePrefix)
  .annotate(LimitedBy, "deployments")
  .middleware(WorkspaceAdmission)
{}

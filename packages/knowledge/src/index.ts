export {
  type AddedDocument,
  type AddOutcome,
  Knowledge,
  type KnowledgeQuestion,
  type NewDocument
} from "./Knowledge.js"
export { type Block, paragraph } from "./passages/Block.js"
export { readMarkdown } from "./passages/Markdown.js"
export { readPlainText } from "./passages/PlainText.js"
export { splitPassages } from "./passages/SplitPassages.js"
export { decodeText } from "./reading/DecodeText.js"
export { type DocumentFile, DocumentRefused, type ReadDocument } from "./reading/DocumentFile.js"
export { charsetOf, foreignKind, kindOf } from "./reading/DocumentKinds.js"
export { DocumentReader } from "./reading/DocumentReader.js"
export { passagesWithin, readTextFile, titleOf } from "./reading/ReadPlainly.js"
export {
  CollectionName,
  DocumentId,
  DocumentKind,
  DocumentName,
  FoundPassage,
  KnowledgeDocument,
  Passage
} from "./records/KnowledgeDocument.js"
export { knowledgeLimits } from "./records/KnowledgeLimits.js"
export {
  documentColumns,
  type DocumentFilter,
  type DocumentRevision,
  type DocumentSort,
  documentSorts,
  KnowledgeStore
} from "./records/KnowledgeStore.js"
export { PassageIndex } from "./search/PassageIndex.js"
export { type IndexedDocument, type IndexState, IndexUnusable, type PassageSearch } from "./search/PassageSearch.js"
export { DocumentFields, type DocumentForm, type DocumentFormPart, readDocumentForm } from "./uploads/DocumentForm.js"
export { maxQuestionLength, type SearchTerm, termsOf } from "./words/Question.js"
export { stemsOf } from "./words/Words.js"

export {
  Cohort,
  CohortCategory,
  CohortOwner,
  CohortResult,
  CohortStatus,
  CohortUser,
  ImportProgress,
  noProgress,
  OverrideName
} from "./Cohort.js"
export { type CohortLimits, cohortLimits, CurrentCohortLimits } from "./CohortLimits.js"
export { CohortOwners, type OwnerTerms } from "./CohortOwners.js"
export { Cohorts } from "./Cohorts.js"
export { type Cells, CsvError, type CsvErrorReason, type CsvLimits, csvLimits } from "./csv/Csv.js"
export { type CsvFormat, CsvSeparator } from "./csv/CsvFormat.js"
export { CsvReader, csvRows } from "./csv/CsvReader.js"
export { csvHeader, csvLine, type RejectedCsv, rejectedCsv } from "./csv/CsvWriter.js"
export { type CohortFile, CohortFileType, fileKey } from "./files/CohortFiles.js"
export { type AppendedBytes, type ByteRange, FileStore, inRange } from "./files/FileStore.js"
export { DownloadRefused, FileDownload } from "./imports/FileDownload.js"
export { Importer, type ImportTask } from "./imports/Importer.js"
export {
  FileChanged,
  importRows,
  type ImportRowsError,
  type RowBatch,
  type RowImport,
  TooManyRows,
  TooMuchText
} from "./imports/ImportRows.js"
export { ImportsHere } from "./imports/Imports.js"
export { ImportFailed } from "./imports/StoredFile.js"
export { type FileFit, fitFile, type FittedFile, type HeadTerms } from "./rows/FileHead.js"
export type { RejectedReason } from "./rows/RowCheck.js"
export type { ColumnPlan, RowPlan } from "./rows/RowPlan.js"
export {
  type CallerEntry,
  cohortColumns,
  type CohortOutcome,
  cohortSortable,
  type CohortTally,
  type PendingCohort,
  type UserCursor,
  type WalkedUser
} from "./store/CohortRecords.js"
export { CohortStore } from "./store/CohortStore.js"
export type { IssueLocations } from "./transformation/IssueLocations.js"
export { ColumnMap, parseTransformation, Transformation } from "./transformation/Transformation.js"
export { Transform } from "./transformation/Transforms.js"
export { CohortFromUrl, CohortStream, PreSignedUrl, StreamedUser, streamUsers } from "./uploads/CohortBodies.js"
export { CohortPreview, CohortPreviewRequest, previewCharacters, previewCohort } from "./uploads/Preview.js"
export { type UploadForm, uploadForm, type UploadPart, type UploadValues } from "./uploads/UploadForm.js"

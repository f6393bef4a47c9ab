/** Bounds of knowledge, beyond which a document is refused with a message that names the bound. */
export const knowledgeLimits = {
  /** Size of a file in bytes: 20 MiB. */
  fileBytes: 20_971_520,
  /** Pages of a PDF. */
  pages: 2_000,
  /** Characters of the text of a document, which a small file may unfold to. */
  characters: 10_000_000,
  /** Passages of a document. */
  passages: 20_000,
  /** Passages of a workspace, over all of its documents. */
  passagesOfWorkspace: 200_000,
  /** Characters of a title, a source or a heading path; longer ones of a file are cut. */
  name: 300
} as const

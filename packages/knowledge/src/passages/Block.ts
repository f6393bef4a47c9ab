/** A heading or a paragraph of a document. */
export interface Block {
  /** 1 for the outermost headings, up to 6; 0 for a paragraph. */
  readonly level: number
  readonly text: string
  /** Page, from 1; null for documents without pages. */
  readonly page: number | null
}

/** A paragraph of a document without pages. */
export const paragraph = (text: string): Block => ({ level: 0, text, page: null })

/** A statement whose columns of text are compared by code point on every server, as in SQLite. */
export const byCodePoint = (statement: string): string => statement.replaceAll(/ text\b/g, " text collate \"C\"")

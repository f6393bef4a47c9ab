/** A character that no text of a chart has, because XML cannot hold it. */
const mark = "\uFFFF"

/**
 * A text as ECharts may have it. It remembers the widths of lines in plain objects, so that a line such as `__proto__`
 * would change every object of the thread: such lines get a mark that `unguarded` takes away.
 */
export const guarded = (text: string): string =>
  text.split("\n").map((line) => line in Object.prototype ? line + mark : line).join("\n")

/** Takes the marks out of a text or a file. */
export const unguarded = (text: string): string => text.replaceAll(mark, "")

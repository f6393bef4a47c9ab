import { oneLine } from "./OneLine.js"

/** The longest name before its ending, which no file system refuses: 80 characters of an Indian script are 240 bytes. */
const maxLength = 80

/** Names that Windows keeps for devices, with whatever ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A name for a file, fit for any system, that people know a widget's name in: `Calls per day.csv`. */
export const fileName = (name: string, ending: string): string => {
  const stem = oneLine(name.replace(/[\\/:*?"<>|%]+/g, "-"), maxLength).replace(/^[.\s]+|[.\s]+$/g, "")
  return `${stem === "" || reserved.test(stem) ? "report" : stem}.${ending}`
}

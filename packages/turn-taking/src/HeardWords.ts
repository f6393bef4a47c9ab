/** Characters a second of an average voice, for the length of words whose sound is not complete. */
export const charactersPerSecond = 15

/** The first words of a text, up to a share of its characters. */
export const firstWords = (text: string, share: number): string => {
  const length = Math.floor(text.length * share)
  return text.slice(0, length).replace(/\S+$/u, (part) => /^\s|^$/u.test(text.slice(length)) ? part : "").trimEnd()
}

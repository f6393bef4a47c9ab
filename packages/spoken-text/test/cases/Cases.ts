/** Written forms of a language with the words that are expected for each. */
export type Cases = ReadonlyArray<readonly [written: string, spoken: string]>

/** Writes the page of the console into a folder. Resolves with the paths of its source files. */
export declare const buildConsolePage: (outDir: string) => Promise<ReadonlyArray<string>>

/** Path of a bundled program, given by its path in the repository, in the folder of its bundle. */
export declare const programIn: (outDir: string, program: string) => string

/** URL that a source file of an adapter has in a bundle, where it finds its workers; null for other files. */
export declare const urlInBundle: (outDir: string, path: string) => string | null

/**
 * Bundles programs, given by their paths in the repository, and the workers of all adapters into a folder. Resolves with
 * the paths of all source files in it.
 */
export declare const bundlePrograms: (outDir: string, programs: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>

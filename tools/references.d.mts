/** Returns each tsconfig.json with its references as they should be, as a map from paths to texts. */
export const tsconfigs: () => ReadonlyMap<string, string>

/** Returns README.md with its tree as it should be. */
export const readme: () => string

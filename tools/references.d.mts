/** Returns each tsconfig.json with its references as they should be, as a map from paths to texts. */
export const tsconfigs: () => ReadonlyMap<string, string>

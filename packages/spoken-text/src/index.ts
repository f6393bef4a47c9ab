export * from "./Clauses.js"
export * from "./Comparable.js"
export * from "./LanguageCode.js"
export * from "./TextNormalizer.js"

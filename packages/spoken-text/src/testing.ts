export * from "./TextNormalizer.laws.js"

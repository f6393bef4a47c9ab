export { textNormalizerLaws } from "./TextNormalizer.laws.js"

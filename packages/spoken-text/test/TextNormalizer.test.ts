import { TextNormalizer } from "@trunkline/spoken-text"
import { textNormalizerLaws } from "@trunkline/spoken-text/testing"

textNormalizerLaws("the rules and tables of this package", TextNormalizer.layer)

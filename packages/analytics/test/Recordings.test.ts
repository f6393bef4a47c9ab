import { Recordings } from "@trunkline/analytics"
import { recordingsLaws } from "@trunkline/analytics/testing"

recordingsLaws("in memory", Recordings.layerMemory)

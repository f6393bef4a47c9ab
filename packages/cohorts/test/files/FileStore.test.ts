import { FileStore } from "@trunkline/cohorts"
import { fileStoreLaws } from "@trunkline/cohorts/testing"

fileStoreLaws("memory", FileStore.layerMemory)

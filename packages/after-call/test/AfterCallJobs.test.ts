import { Transactions } from "@trunkline/kernel"
import { Layer } from "effect"
import { AfterCallJobs } from "../src/index.js"
import { afterCallJobsLaws } from "../src/testing.js"

afterCallJobsLaws("memory", Layer.merge(AfterCallJobs.layerMemory, Transactions.layerMemory))

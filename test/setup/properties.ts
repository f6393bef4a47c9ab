import { FastCheck } from "effect"
import { testScale } from "./Scale.js"

FastCheck.configureGlobal({ numRuns: Math.ceil(100 * testScale) })

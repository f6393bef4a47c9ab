import { seedsOfPart } from "./SeedsInCi.js"

seedsOfPart(1)

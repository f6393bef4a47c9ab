export { Entropy } from "@trunkline/kernel"

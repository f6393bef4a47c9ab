export { EntropyNode } from "./EntropyNode.js"

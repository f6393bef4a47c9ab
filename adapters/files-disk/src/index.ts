export { FilesDisk } from "./FilesDisk.js"

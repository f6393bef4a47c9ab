export { jsonWriter, writtenAs } from "./JsonWriter.js"

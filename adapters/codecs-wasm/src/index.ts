export { AudioCodecsWasm, type AudioCodecsWasmOptions } from "./AudioCodecsWasm.js"

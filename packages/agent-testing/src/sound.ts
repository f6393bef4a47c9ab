export { makeSoundLine } from "./sound/SoundLine.js"

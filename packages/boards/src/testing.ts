export { boardStoreLaws } from "./boards/BoardStore.laws.js"

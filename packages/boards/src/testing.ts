export { boardStoreLaws } from "./testing/BoardStore.laws.js"

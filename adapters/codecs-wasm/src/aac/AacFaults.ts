import { Unreadable } from "../decode/Unreadable.js"

/** What a frame says cannot be. */
export const damagedAac = () => new Unreadable("The AAC in it is damaged")

/** What a frame says can be, but is not AAC-LC, or nothing that its encoders write. */
export const otherAac = () => new Unreadable("It is a kind of AAC that is not read here: AAC-LC is")

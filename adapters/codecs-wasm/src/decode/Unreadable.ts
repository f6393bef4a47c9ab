/** A clip that cannot be read, with why in words for a person: nothing of what is in it. */
export class Unreadable extends Error {}

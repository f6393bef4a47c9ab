/** Names of the fields of a type, from an object that has them all. */
export type Fields<A> = Readonly<Record<keyof A, true>>

/** Cues of one meaning in the first words of an answered call. */
export interface GreetingCue {
  readonly meaning:
    /** A service asks who calls and why, before it puts the call through. */
    | "screening"
    /** A menu, or a recording of an office that is followed by one. */
    | "ivr"
    /** A greeting that asks for a message, or that tells that nobody can answer. */
    | "machine"
    /** The beginning of a recording by a network, which may be a machine or a service that screens: the next words tell which. */
    | "recording"
    /** Words with which most recorded greetings of people begin, and which a person may say too. */
    | "opening"
    /** The beginning of an office, where a person or a menu may answer. */
    | "office"
    /** Words that only a person says who has just picked up. */
    | "person"
  /**
   * Phrases, each from the beginning of a word, without contractions. `(a|b)` stands for either, `…` for other words, a space at
   * the end for the end of a word, and `^` for the beginning of the call or the words after "hello".
   */
  readonly phrases: ReadonlyArray<string>
}

/** Path of a bundle of the present source of a program, which is given by its path in the repository. */
export declare const bundled: (program: string) => Promise<string>

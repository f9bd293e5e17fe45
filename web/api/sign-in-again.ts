/** Opens and closes the dialog in which a person whose session has ended signs in again. */
type ShowDialog = (isOpen: boolean) => void;

let show: ShowDialog | null = null;
let asked: PromiseWithResolvers<boolean> | null = null;

/** Registers the dialog. Returns a function that removes it. */
export function signInAgainBy(dialog: ShowDialog): () => void {
  show = dialog;
  return () => {
    if (show === dialog) show = null;
    answerSignIn(false);
  };
}

/** Resolves when the person has signed in again or declined. Resolves to false at once if no screen is open. */
export function isSignedInAgain(): Promise<boolean> {
  if (!show) return Promise.resolve(false);
  asked ??= Promise.withResolvers<boolean>();
  show(true);
  return asked.promise;
}

export function answerSignIn(isSignedIn: boolean): void {
  show?.(false);
  asked?.resolve(isSignedIn);
  asked = null;
}

/** Asks the person to prove once more that it is them; false when they would not. */
type AskForProof = () => Promise<boolean>;

let ask: AskForProof | null = null;
let asking: Promise<boolean> | null = null;

/** Registers the dialog that asks. Returns the way to take it back. */
export function askForProofBy(dialog: AskForProof): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** For a call that was refused with 'proof_required': calls that are refused together ask once. */
export function isProofGiven(): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

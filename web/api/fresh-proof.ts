/** Asks the person to prove again who they are. Resolves to false if they decline. */
type AskForProof = () => Promise<boolean>;

let ask: AskForProof | null = null;
let asking: Promise<boolean> | null = null;

/** Registers the dialog that asks. Returns a function that removes it. */
export function askForProofBy(dialog: AskForProof): () => void {
  ask = dialog;
  return () => {
    if (ask === dialog) ask = null;
  };
}

/** For a call that was refused with 'proof_required'. Calls that are refused at the same time ask once. */
export function isProofGiven(): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

/** What a person is told of an act on a thing, such as 'added' or 'saved'. Its dialog closes when it is done. */
export function actOn(thing: string, done: string, onClose: () => void) {
  return {
    success: `${inTitle(thing)} ${inTitle(done)}`,
    failureTitle: `The ${thing} could not be ${done}`,
    onSuccess: onClose,
  };
}

/** The same of an act that takes a thing away. Its dialog closes when it is refused too, because the row has changed. */
export function actOnNamed(name: string, thing: string, done: string, onClose: () => void) {
  const { success, ...act } = actOn(thing, done, onClose);
  return { ...act, success: () => ({ title: success, message: name }), onError: onClose };
}

function inTitle(word: string): string {
  return word.replace(/^./, (first) => first.toUpperCase());
}

/** For a sign-in by mail that confirmed the mailbox. The earlier password may have been a stranger's. */
export function passwordRemovedToast({ isPasswordRemoved }: { isPasswordRemoved: boolean }) {
  if (!isPasswordRemoved) return null;
  return {
    title: 'Your Address Is Confirmed',
    message: 'We removed your old password. Use "Forgot your password?" to choose a new one.',
  };
}

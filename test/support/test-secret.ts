/** The AUTH_SECRET of every server that tests start, so that they can open what it has sealed. */
export const testSecret = 'a secret for tests, of more than thirty-two characters';

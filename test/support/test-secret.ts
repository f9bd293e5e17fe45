/** The AUTH_SECRET of every server that tests start. So the tests can open what a server has sealed. */
export const testSecret = 'a secret for tests, of more than thirty-two characters';

/** The toggle is reached by keyboard too, and says what it does (AUTH-02). */
export const passwordToggle = { 'aria-label': 'Show or hide the password', tabIndex: 0 };

/** AUTH-02: reached by keyboard too. Its name leaves out 'password', which is the name of the field beside it. */
export const passwordToggle = { 'aria-label': 'Show or hide what is typed', tabIndex: 0 };

-- A reference is checked with a lock on the row that it names, and a delete with one on the rows that name it. Who takes
-- them is the owner of the table, with the right to update a column of it: without one, an owner that is no superuser
-- could write no confirmation and forget nobody. The triggers refuse every change as before.
grant update (id) on stipend_payment_parts to current_user;
grant update (payment_id) on stipend_payment_reversals to current_user;
grant update (position) on stipend_ledger to current_user;
grant update (id) on stipend_confirmations to current_user;
grant update (confirmation_id) on stipend_confirmation_rows to current_user;

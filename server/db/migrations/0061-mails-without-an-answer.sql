-- Since when a mail server has the whole of a mail but for the line that ends it, or all of it, and has not answered. A
-- try that ends so is not repeated: nobody can know whether the mail has arrived.
alter table deliveries add column awaiting_answer_since timestamptz;

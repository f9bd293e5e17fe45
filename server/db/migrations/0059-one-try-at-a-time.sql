-- Until when whoever sends a delivery has it alone: of two runs of its job one sends, and a try that was cut off ends by
-- itself.
alter table deliveries add column tried_until timestamptz;

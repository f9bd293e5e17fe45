/**
 * The specified program's zone (TIME-02). Times that belong to no program, as those of the audit log, are in it
 * (docs/decisions/0008). It is apart, because the first screen needs it and nothing else of the specified program.
 */
export const houseZone = 'America/New_York';

/** The value of the filter `assignedTo` for unassigned records, which is also their holder in the index `holder`. */
export const unassigned = 'none';

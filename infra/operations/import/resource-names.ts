/** The resources whose records can be imported. */
export const resourceNames = [
  'teams',
  'users',
  'lead-sources',
  'leads',
  'merchants',
  'mids',
  'notes',
  'lookups',
  'tickets',
] as const;

export type ResourceName = (typeof resourceNames)[number];

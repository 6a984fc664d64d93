/** What a search of notifications looks into. Interface, "GET /notifications": "all text fields". */
export const textFields = [
  'event',
  'user',
  'account_id',
  'notificationSubject',
  'notificationBody',
  'portalLink',
  'portalLinkDescription',
] as const;

/** What notifications are sorted by: every field but `data`. */
export const scalarFields = ['id', ...textFields, 'error', 'markedRead', 'created'] as const;

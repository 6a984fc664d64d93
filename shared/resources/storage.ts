import { area } from './declare.ts';

/** The stored items that all resources share. */
export const storage = area({
  items: {
    'child-totals': 'derived',
    'data-keys': 'secret',
    idempotency: 'temporary',
    'search-entries': 'derived',
    'search-index': 'derived',
    trigger: 'temporary',
    'work-queue': 'temporary',
    'work-item-pointer': 'temporary',
  },
  unlogged: {
    CALLS: 'later',
    DATAKEYS: 'without an event',
    IDEMPOTENCY: 'later',
    QUOTA: 'later',
    SEARCH: 'later',
    SCHEDULE: 'later',
    SEARCHENTRIES: 'later',
    TRIGGER: 'later',
    WORKQUEUE: 'later',
  },
});

import { acrossAccounts, area, reading } from './declare.ts';

/** The stored items and access patterns that all resources share. `NOUN` is the name of a record type in keys, such as `LEAD`. */
export const storage = area({
  items: {
    'child-totals': 'derived',
    'data-keys': 'secret',
    idempotency: 'temporary',
    trigger: 'temporary',
    'work-queue': 'temporary',
    'work-item-pointer': 'temporary',
  },
  unlogged: {
    CALLS: 'later',
    DATAKEYS: 'without an event',
    IDEMPOTENCY: 'later',
    QUOTA: 'later',
    TRIGGER: 'later',
    WORKQUEUE: 'later',
  },
  reads: [
    reading('record by id', 'NOUN#id', 'RECORD', 'shared/table/record-store.ts'),
    reading(
      'record with its newest 100 audit entries',
      'NOUN#id',
      'AUDIT#event to RECORD',
      'shared/table/record-store.ts',
    ),
    reading(
      'summary of a large record',
      'NOUN#id',
      'SUMMARY (indexed instead of the record)',
      'shared/table/record-store.ts',
    ),
    ...['NOUN', 'NOUN#scope'].map((partition) =>
      reading(
        'newest records of a record type, or of a scope',
        partition,
        'id',
        'shared/table/record-store.ts',
        'list',
      ),
    ),
    reading('newest records in a state', 'NOUN#state', 'id', 'shared/table/views.ts', 'state'),
    ...['NOUN#holder', 'NOUN#holder#state'].map((partition) =>
      reading(
        'newest records of a holder (leads), or of a holder in a state (tickets)',
        partition,
        'id',
        'shared/table/views.ts',
        'holder',
      ),
    ),
    reading(
      'newest children of a record (notes, documents, comments)',
      'NOUN#id#KIND',
      'id',
      'shared/table/child-store.ts',
    ),
    reading('number of children by kind', 'NOUN#id', 'TOTALS', 'shared/table/child-store.ts'),
    reading('totals of the account', 'TOTALS', 'shard, 00 to 15', 'shared/table/totals.ts'),
    reading('totals of a holder', 'TOTALS#NOUN#holder', 'shard, 00 to 15', 'shared/table/totals.ts'),
    reading(
      'quota counters; minutes in which a quota was reached',
      'QUOTA',
      'NOUN, NOUN#scope; MET#…',
      'shared/table/operations.ts',
    ),
    reading(
      'number of calls of a principal in a minute; minutes in which the principal reached its limit',
      'CALLS#principal',
      'MINUTE#…; LIMITED#…',
      'shared/security/call-limit.ts',
    ),
    reading(
      'minutes in which a route responded with 500',
      'CALLS#SYSTEM_ERROR',
      'route#minute',
      'shared/http/keys.ts',
    ),
    reading('last use of an API key', 'CALLS#principal', 'LAST', 'shared/people/apikeys/last-use.ts'),
    reading(
      'stored response for an Idempotency-Key',
      'IDEMPOTENCY#principal',
      'route#digest',
      'shared/http/idempotency.ts',
    ),
    reading(
      'wrapped data keys, and the encrypted key of keyed hashes',
      'DATAKEYS',
      'DATAKEYS',
      'shared/security/data-keys.ts',
    ),
    reading('trigger message that the relay forwards', 'TRIGGER', 'id', 'shared/events/trigger-message.ts'),
    reading(
      'state of a work queue with its first pointers',
      'WORKQUEUE#name',
      'HEAD to OPEN#due#item',
      'shared/work-queue/store.ts',
    ),
    reading(
      'work items, such as deliveries of a webhook',
      'WORKQUEUE#name',
      'WORKITEM#item',
      'shared/work-queue/list-work-items.ts',
    ),
    ...['DUE#TICKET#0', 'DUE#TICKET#7', 'DUE#WORKQUEUE#0', 'DUE#WORKQUEUE#7'].map((partition) =>
      acrossAccounts(
        'due items of a record type, oldest first',
        partition,
        'instant, account, noun, id',
        'shared/table/due.ts',
        'due',
      ),
    ),
    acrossAccounts(
      'position at which the next sweep continues',
      'SWEEP#NOUN',
      'PLACE#shard',
      'shared/table/due.ts',
    ),
  ],
  reference: null,
});

import { searchedRecord } from '../../shared/events/subject.ts';
import { updateIndex } from '../../shared/table/update-index.ts';
import type { Consumer } from '../consumer.ts';
import { indexedStores } from '../indexed-stores.ts';

/** Makes the search index agree with the record that an event may have changed. */
export default {
  queue: 'search',
  async handle({ accountId, kind, subject, data }, { requests, once }) {
    const record = searchedRecord({ subject, data });
    if (!record) throw new Error(`${kind} is about a ${subject.type}, which is not in the search index.`);
    const { type, id } = record;
    await once(`${accountId} ${type} ${id}`, () =>
      updateIndex(indexedStores[type], accountId, id, { requests }),
    );
  },
} satisfies Consumer;

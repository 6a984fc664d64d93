import type { Consumer } from '../consumer.ts';
import { writeAuditEntries } from '../../shared/audit/audit-log.ts';

/** Writes the audit entry of an event beside the lead or application it is about. */
export default {
  queue: 'audit',
  consume: writeAuditEntries,
} satisfies Consumer;

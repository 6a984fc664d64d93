import { writeAuditEntry } from '../../shared/integrity/audit/store.ts';
import type { Consumer } from '../consumer.ts';

/** Writes the audit entry of an event beside the lead or application it is about. */
export default { queue: 'audit', handle: writeAuditEntry } satisfies Consumer;

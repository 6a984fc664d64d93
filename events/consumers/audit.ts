import { writeAuditEntry } from '../../shared/integrity/audit/store.ts';
import type { Consumer } from '../consumer.ts';

/** Writes the audit entry of an event about a record with an audit log. */
export default { queue: 'audit', handle: writeAuditEntry } satisfies Consumer;

import { importUploadedStatement } from '../../shared/billing/statement-uploads/import-upload.ts';
import { renewChildAccounts } from '../../shared/child-accounts/renew-children.ts';
import { checkMailDomain, removeMailIdentity } from '../../shared/correspondence/domains/check-domain.ts';
import { checkDomain } from '../../shared/domains/check-domain.ts';
import { channelsOf } from '../../shared/messaging/messages/hand-over.ts';
import { continueFanOut, rewriteIndexJob } from '../../shared/messaging/recipients/jobs.ts';
import { announceFailures } from '../../shared/messaging/webhooks/announce-failures.ts';
import { recover } from '../../shared/messaging/webhooks/recover.ts';
import { requestReset } from '../../shared/people/users/request-reset.ts';
import { testUnderwritingRule } from '../../shared/sales/underwriting-rules/run-test.ts';
import { reassignRecords } from '../../shared/support/reassignments/reassign-records.ts';
import { type Job, jobHandler } from '../../shared/work-queue/jobs.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** The jobs, by the name in a work item's content. */
const jobs: Readonly<Record<string, Job>> = {
  fan_out: continueFanOut(channelsOf),
  rewrite_subscriber_index: rewriteIndexJob,
  announce_failures: announceFailures,
  recover,
  request_reset: requestReset,
  reassign_records: reassignRecords,
  test_underwriting_rule: testUnderwritingRule,
  check_domain: checkDomain,
  check_mail_domain: checkMailDomain,
  remove_mail_identity: removeMailIdentity,
  import_bank_statement: importUploadedStatement,
  renew_child_accounts: renewChildAccounts,
};

const handler = jobHandler(jobs);

/** Runs the work queues of jobs. */
export default workQueueConsumer('jobs', ({ name }) => (name === 'JOBS' ? handler : undefined));

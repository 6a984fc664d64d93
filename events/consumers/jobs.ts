import { renewChildAccounts } from '../../shared/child-accounts/renew-children.ts';
import { checkDomain } from '../../shared/domains/check-domain.ts';
import { sealEvents } from '../../shared/integrity/event-seals/seal-events.ts';
import { mailHandler, textHandler } from '../../shared/messaging/messages/message-handlers.ts';
import { continueFanOut, rewriteIndexJob } from '../../shared/messaging/recipients/jobs.ts';
import { announceFailures } from '../../shared/messaging/webhooks/announce-failures.ts';
import { recover } from '../../shared/messaging/webhooks/recover.ts';
import { partnerEventHandler } from '../../shared/partner/apply-events.ts';
import { requestReset } from '../../shared/people/users/request-reset.ts';
import { testUnderwritingRule } from '../../shared/sales/underwriting-rules/run-test.ts';
import { reassignRecords } from '../../shared/support/reassignments/reassign-records.ts';
import { type Job, jobHandler } from '../../shared/work-queue/jobs.ts';
import type { WorkQueue, WorkQueueName } from '../../shared/work-queue/keys.ts';
import type { WorkHandler } from '../../shared/work-queue/work-handler.ts';
import { channelsOf } from '../channels.ts';
import { workQueueConsumer } from '../work-queue-consumer.ts';

/** The jobs, by the name in a work item's content. */
const jobs: Readonly<Record<string, Job>> = {
  fan_out: continueFanOut(channelsOf),
  rewrite_subscriber_index: rewriteIndexJob,
  announce_failures: announceFailures,
  recover,
  request_reset: requestReset,
  seal_events: sealEvents,
  reassign_records: reassignRecords,
  test_underwriting_rule: testUnderwritingRule,
  check_domain: checkDomain,
  renew_child_accounts: renewChildAccounts,
};

const accountWork: Readonly<Partial<Record<WorkQueueName, WorkHandler>>> = {
  MAIL: mailHandler,
  SMS: textHandler,
  JOBS: jobHandler(jobs),
  PARTNEREVENTS: partnerEventHandler,
};

/** Returns the handler of a work queue of mail, text messages, jobs or a partner's events; undefined for others. */
const workOf = ({ name }: WorkQueue): WorkHandler | undefined => accountWork[name];

/** Runs the work queues of mail, text messages, jobs and partners' events. */
export default workQueueConsumer('jobs', workOf);

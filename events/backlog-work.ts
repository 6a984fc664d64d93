import { sealEvents } from '../shared/integrity/event-seals/seal-events.ts';
import { mailWork, textWork } from '../shared/messaging/messages/work-messages.ts';
import { rewriteMarked, tellAudience } from '../shared/messaging/recipients/jobs.ts';
import { announceFailures } from '../shared/messaging/webhooks/announce-failures.ts';
import { recover } from '../shared/messaging/webhooks/recover.ts';
import type { Backlog } from '../shared/work-queue/backlog.ts';
import { type Job, jobWork } from '../shared/work-queue/jobs.ts';
import type { BacklogName } from '../shared/work-queue/keys.ts';
import type { Work } from '../shared/work-queue/work.ts';
import { channelsOf } from './channels.ts';

/** What a job of an account does, by the name in its entry's content. */
const jobs: Readonly<Record<string, Job>> = {
  tell_audience: tellAudience(channelsOf),
  rewrite_audience: rewriteMarked,
  announce_failures: announceFailures,
  recover,
  seal_events: sealEvents,
};

const accountWork: Readonly<Partial<Record<BacklogName, Work>>> = {
  MAIL: mailWork,
  SMS: textWork,
  JOBS: jobWork(jobs),
};

/** How the entries of an account's backlog of mail, text messages or jobs are worked; undefined for a webhook's. */
export const workOf = ({ name }: Backlog): Work | undefined => accountWork[name];

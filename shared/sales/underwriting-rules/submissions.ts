import type { AccountId } from '../../id/account-id.ts';
import type { Static } from '../../schema.ts';
import { inBatches } from '../../table/in-batches.ts';
import { type Item, recordOf } from '../../table/item.ts';
import { digits } from '../../table/keys.ts';
import { putIfAbsent, putItem, type Write } from '../../table/operations.ts';
import { getItems, queryItems } from '../../table/read.ts';
import type { RuleResult, UnderwritingDecision } from '../applications/record/schema.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { type SubmissionPart, submissionKeys, submissionPartitions } from './keys.ts';
import type { SubmissionFacts } from './submission-facts.ts';

/** A submission with the facts that rules may use. It never changes. */
export interface StoredSubmission {
  id: number;
  applicationId: string;
  facts: SubmissionFacts;
}

/** The results of the rules at a submission, and the decision of a person, if there is one. */
export interface SubmissionOutcome {
  id: number;
  applicationId: string;
  results: Omit<RuleResult, 'facts'>[];
  decision?: Omit<Static<typeof UnderwritingDecision>, 'reason'> & { assignedTo?: string; priority?: string };
}

/** Returns the writes of a new submission. `application` is the application after the rules ran. */
export const submissionWrites = (
  application: StoredApplication & { submissionId: number },
  facts: SubmissionFacts,
): Write[] => {
  const { id: applicationId, submissionId: id } = application;
  const submission: StoredSubmission = { id, applicationId, facts };
  return [
    putIfAbsent({ ...keysOf('SUBMISSION', application, id), type: 'submission', ...submission }),
    outcomeWrite(application, id),
  ];
};

const keysOf = (part: SubmissionPart, { accountId, id: applicationId }: StoredApplication, id: number) =>
  submissionKeys(part, { account: accountId, applicationId, id });

function outcomeWrite(
  application: StoredApplication,
  id: number,
  decision?: SubmissionOutcome['decision'],
): Write {
  const { rules = [] } = application.admin;
  const outcome: SubmissionOutcome = {
    id,
    applicationId: application.id,
    results: rules.map(({ facts, ...result }) => result),
    ...(decision && { decision }),
  };
  return putItem({
    ...keysOf('SUBMISSIONOUTCOME', application, id),
    type: 'submission-outcome',
    ...outcome,
  });
}

/** Returns the write that adds a person's decision to the last submission. An older application has no submission. */
export function decisionWrites(application: StoredApplication): Write[] {
  const { submissionId, admin } = application;
  if (submissionId === undefined || !admin.decision) return [];
  const { reason, ...decision } = admin.decision;
  const { assignedTo, priority } = admin;
  return [
    outcomeWrite(application, submissionId, {
      ...decision,
      ...(assignedTo && { assignedTo }),
      ...(priority && { priority }),
    }),
  ];
}

/** Returns the submissions with these ids. Omits submissions of deleted applications. */
export async function findSubmissions(
  account: AccountId,
  ids: readonly { applicationId: string; submissionId: number }[],
): Promise<StoredSubmission[]> {
  const keys = ids.map(({ applicationId, submissionId: id }) =>
    submissionKeys('SUBMISSION', { account, applicationId, id }),
  );
  return (await getItems(keys)).flatMap((item) => (item ? [recordOf<StoredSubmission>(item)] : []));
}

/** A range of submission ids. Both ends are included. */
export interface SubmissionRange {
  from: number;
  to: number;
}

async function readRange<R>(
  account: AccountId,
  part: SubmissionPart,
  range: SubmissionRange,
  limit: number,
): Promise<R[]> {
  const sortKey = { from: digits(range.from), to: digits(range.to) };
  const items: Item[] = [];
  for (const partition of submissionPartitions(account, part, range)) {
    const left = limit - items.length;
    if (left <= 0) break;
    items.push(...(await queryItems({ partition, index: 'list', sortKey, limit: left })));
  }
  return items.map((item) => recordOf<R>(item));
}

/** Reports whether an application was returned to the applicant after a submission. Only then can it be submitted again. */
const wasReturned = ({ decision, results }: SubmissionOutcome): boolean =>
  decision?.decision === 'info_requested' ||
  results.some(({ acted, action }) => acted && action === 'request_information');

/**
 * Returns the submissions of the applications in `page` until the id `to` that were submitted again, oldest first, by the
 * id of the application.
 */
export async function readLaterSubmissions(
  account: AccountId,
  page: readonly (StoredSubmission & SubmissionOutcome)[],
  to: number,
): Promise<ReadonlyMap<string, (StoredSubmission & SubmissionOutcome)[]>> {
  const firstReturned = new Map<string, number>(
    page
      .filter(wasReturned)
      .toReversed()
      .map(({ applicationId, id }) => [applicationId, id]),
  );
  const found = await inBatches(parallelReads, [...firstReturned], async ([applicationId, id]) => {
    const readPart = async <R>(part: SubmissionPart): Promise<R[]> => {
      const { pk: partition } = submissionKeys(part, { account, applicationId, id });
      const sortKey = { from: digits(id + 1), to: digits(to) };
      return (await queryItems({ partition, sortKey })).map((item) => recordOf<R>(item));
    };
    const parts = await Promise.all([
      readPart<StoredSubmission>('SUBMISSION'),
      readPart<SubmissionOutcome>('SUBMISSIONOUTCOME'),
    ]);
    return [applicationId, withOutcomes(...parts)] as const;
  });
  return new Map(found);
}

/** Returns the outcomes of a range, oldest first, at most `limit`. */
export const readOutcomes = (
  account: AccountId,
  range: SubmissionRange,
  limit: number,
): Promise<SubmissionOutcome[]> => readRange(account, 'SUBMISSIONOUTCOME', range, limit);

/** Returns the submissions of a range with their outcomes, oldest first, at most `limit`. */
export async function readSubmissions(
  account: AccountId,
  range: SubmissionRange,
  limit: number,
): Promise<(StoredSubmission & SubmissionOutcome)[]> {
  const [submissions, outcomes] = await Promise.all([
    readRange<StoredSubmission>(account, 'SUBMISSION', range, limit),
    readOutcomes(account, range, limit),
  ]);
  return withOutcomes(submissions, outcomes);
}

/** Returns a text that identifies a submission in an account. */
export const submissionName = ({
  id,
  applicationId,
}: Pick<StoredSubmission, 'id' | 'applicationId'>): string => `${id} ${applicationId}`;

function withOutcomes(
  submissions: readonly StoredSubmission[],
  outcomes: readonly SubmissionOutcome[],
): (StoredSubmission & SubmissionOutcome)[] {
  const byName = new Map(outcomes.map((outcome) => [submissionName(outcome), outcome]));
  return submissions.map((submission) => ({
    results: [],
    ...byName.get(submissionName(submission)),
    ...submission,
  }));
}

/** The number of applications whose later submissions are read in parallel. */
const parallelReads = 25;

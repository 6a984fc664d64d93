import type { Account } from '../../accounts/schema.ts';
import type { Effects } from '../../events/envelope.ts';
import type { AccountId } from '../../id/account-id.ts';
import { mintId } from '../../id/mint.ts';
import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import type { DataKeys } from '../../security/data-keys.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Authored } from '../../table/revise.ts';
import { completenessOf } from '../applications/completeness/required-items.ts';
import { applicationSubmitted } from '../applications/events.ts';
import { duplicatesOf } from '../applications/record/encrypt-application.ts';
import type { RuleResult } from '../applications/record/schema.ts';
import type { StoredApplication } from '../applications/record/stored-application.ts';
import { applications } from '../applications/store.ts';
import { submitApplication } from '../applications/underwriting/submit-application.ts';
import type { Duplicate } from '../duplicate-detection/find-duplicates.ts';
import { act } from './act.ts';
import { inOrder, runRules } from './run-rules.ts';
import type { StoredRule } from './schema.ts';
import { underwritingRules } from './store.ts';
import { submissionFacts } from './submission-facts.ts';
import { submissionWrites } from './submissions.ts';

/** The records that a submission reads. */
interface SubmissionReads {
  application: StoredApplication;
  rules: readonly StoredRule[];
  duplicates: readonly Duplicate[];
  activeUnderwriters: ReadonlySet<string>;
}

/** Reads the application and the rules in parallel, and then what both refer to: two round trips. */
export async function readForSubmission(
  account: AccountId,
  reading: Promise<StoredApplication>,
): Promise<SubmissionReads> {
  const [application, rules] = await inParallel([reading, underwritingRules.current(account)]);
  const [duplicates, members] = await inParallel([
    duplicatesOf(application),
    memberships.findMany(account, underwritersIn(rules)),
  ]);
  const activeUnderwriters = new Set(members.filter(isActiveMember).map(({ id }) => String(id)));
  return { application, rules, duplicates, activeUnderwriters };
}

const underwritersIn = (rules: readonly StoredRule[]): number[] => [
  ...new Set(
    rules.flatMap(({ action, mode }) =>
      mode === 'live' && action.kind === 'assign' && action.assignedTo !== undefined
        ? [Number(action.assignedTo)]
        : [],
    ),
  ),
];

interface SubmittingRequest extends Authored {
  account: AccountId;
  accountRecord: Pick<Account, 'requireCompleteApplication' | 'timezone'>;
  dataKeys(): Promise<DataKeys>;
}

/**
 * Submits the application and runs the rules. The first live rule that applies acts in the same transaction. The change has
 * one new version of the application, also if a rule decides. Throws the errors of `submitApplication`.
 */
export async function submitWithRules(
  { application, rules, duplicates, activeUnderwriters }: SubmissionReads,
  request: SubmittingRequest,
): Promise<Effects & { after: StoredApplication }> {
  const { after: submitted, completeness } = submitApplication(application, request);
  const facts = submissionFacts(submitted, { completeness, duplicates, now: request.now });
  const { results, acting } = runRules(inOrder(rules), facts);
  const { flags, ...admin } = submitted.admin;
  const unflagged = { ...submitted, admin };
  // The action is part of the same change, so it increments the version that the application had before.
  const { version } = application;
  const acted = acting && (await act(acting, { ...unflagged, version }, { ...request, activeUnderwriters }));
  const changed = acted && 'after' in acted ? acted : undefined;
  const problem = acted && 'problem' in acted ? acted.problem : undefined;
  const after = changed?.after ?? unflagged;
  const resultsAfter = results.map(
    (result): RuleResult =>
      result.ruleId === acting?.id
        ? { ...result, acted: changed !== undefined, ...(problem && { problem }) }
        : result,
  );
  const { rules: _, ...adminAfter } = after.admin;
  const complete = {
    ...after,
    version: submitted.version,
    submissionId: mintId(request.now),
    admin: { ...adminAfter, ...(resultsAfter.length > 0 && { rules: resultsAfter }) },
  };
  return {
    after: complete,
    writes: [
      ...applications.replace(application, complete, changed ? completenessOf(complete) : completeness),
      ...submissionWrites(complete, facts),
      ...(acting ? [underwritingRules.requireCurrent(acting)] : []),
      ...(changed?.writes ?? []),
    ],
    events: [...applicationSubmitted(unflagged), ...(changed?.events ?? [])],
  };
}
